import { useText } from '../../i18n/i18n.ts'
import { Section } from '../../ui/layout.tsx'
import { ROLE_NAMES, ROLE_TEXTS, ROLES } from './role-text.ts'

export function RolesExplained() {
  const { t } = useText()
  return (
    <Section title={t('team.roles')}>
      <dl className="grid max-w-[44rem] gap-3">
        {ROLES.toReversed().map((role) => (
          <div key={role} className="grid gap-x-6 sm:grid-cols-[8rem_1fr]">
            <dt className="font-medium">{t(ROLE_NAMES[role])}</dt>
            <dd className="text-faint">{t(ROLE_TEXTS[role])}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
