/** Suffixes to look under: presets, then the most popular ones, or those that are searched for. */
import { Suspense, useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/layout.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ToggleButton } from '../results/toggle-button.tsx'
import { listOf, textOf } from '../asked.ts'
import type { Asked } from '../asked.ts'
import type { Edit } from './filter-popover.tsx'
import { CountryField } from './country-field.tsx'
import { PRESET_NAMES, presetName } from './presets.ts'
import { SuffixList } from './suffix-list.tsx'

export function SuffixPanel({ draft, edit }: { readonly draft: Asked; readonly edit: Edit }) {
  const { t } = useText()
  const [wanted, setWanted] = useState('')
  const chosen = listOf(draft.tlds)
  const toggle = (part: string, isOn: boolean) =>
    edit({ tlds: textOf((isOn ? [...chosen, part] : chosen.filter((one) => one !== part)).slice(0, 50)) })
  return (
    <>
      <div role="group" aria-label={t('search.presets')} className="flex flex-wrap gap-1.5">
        {PRESET_NAMES.map((name) => (
          <ToggleButton
            key={name}
            isOn={chosen.includes(name)}
            label={presetName(t, name) ?? name}
            onToggle={(isOn) => toggle(name, isOn)}
          />
        ))}
      </div>
      <TextField
        label={t('search.suffixSearch')}
        type="search"
        value={wanted}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setWanted(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Suspense fallback={<Skeleton className="h-56" />}>
        <SuffixList wanted={wanted} chosen={chosen} onToggle={toggle} />
      </Suspense>
      <CountryField value={draft.country} onChange={(country) => edit({ country })} />
      <Switch
        label={t('search.variants')}
        hint={t('search.variantsHint')}
        checked={draft.variants ?? false}
        onChange={(isOn) => edit({ variants: isOn || undefined })}
      />
    </>
  )
}
