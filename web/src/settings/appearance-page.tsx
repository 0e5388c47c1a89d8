/** How the app looks in this browser. Everything takes effect at once, and nothing of it is sent anywhere. */
import { useText } from '../i18n/i18n.ts'
import { setPreferences, usePreferences } from '../preferences.ts'
import { ChoiceField } from '../ui/choice-field.tsx'
import { PageTitle, Section } from '../ui/layout.tsx'
import { Switch } from '../ui/switch.tsx'

export default function AppearancePage() {
  const { t } = useText()
  const { theme, contrast, motion, density, view, shortcuts } = usePreferences()
  return (
    <>
      <PageTitle>{t('appearance.title')}</PageTitle>
      <div>
        <Section title={t('appearance.display')} description={t('appearance.displayText')}>
          <div className="grid gap-6">
            <ChoiceField
              label={t('appearance.theme')}
              value={theme}
              onChange={(value) => setPreferences({ theme: value })}
              choices={[
                { value: 'system', label: t('appearance.system') },
                { value: 'light', label: t('appearance.light'), icon: 'sun' },
                { value: 'dark', label: t('appearance.dark'), icon: 'moon' },
              ]}
            />
            <ChoiceField
              label={t('appearance.contrast')}
              value={contrast}
              onChange={(value) => setPreferences({ contrast: value })}
              choices={[
                { value: 'system', label: t('appearance.system') },
                { value: 'more', label: t('appearance.more') },
              ]}
            />
            <ChoiceField
              label={t('appearance.motion')}
              value={motion}
              onChange={(value) => setPreferences({ motion: value })}
              choices={[
                { value: 'system', label: t('appearance.system') },
                { value: 'less', label: t('appearance.noMotion') },
              ]}
            />
          </div>
        </Section>
        <Section title={t('appearance.results')} description={t('appearance.resultsText')}>
          <div className="grid gap-6">
            <ChoiceField
              label={t('appearance.view')}
              value={view}
              onChange={(value) => setPreferences({ view: value })}
              choices={[
                { value: 'cards', label: t('appearance.cards'), icon: 'cards' },
                { value: 'grid', label: t('appearance.grid'), icon: 'grid' },
              ]}
            />
            <ChoiceField
              label={t('appearance.density')}
              value={density}
              onChange={(value) => setPreferences({ density: value })}
              choices={[
                { value: 'roomy', label: t('appearance.roomy') },
                { value: 'close', label: t('appearance.close') },
              ]}
            />
          </div>
        </Section>
        <Section title={t('appearance.keyboard')}>
          <div className="max-w-[40rem]">
            <Switch
              label={t('appearance.shortcuts')}
              hint={t('appearance.shortcutsText')}
              checked={shortcuts}
              onChange={(checked) => setPreferences({ shortcuts: checked })}
            />
          </div>
        </Section>
      </div>
    </>
  )
}
