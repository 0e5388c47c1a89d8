/** Every single thing that a program may be allowed, to be picked one by one. */
import type { Scope } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { CheckField } from '../../ui/field.tsx'
import { SCOPE_TEXTS } from './scopes.ts'

export function ScopePicker({
  label,
  hint,
  among,
  chosen,
  wrong,
  onChange,
}: {
  readonly label: string
  readonly hint?: string
  readonly among: readonly Scope[]
  readonly chosen: readonly Scope[]
  readonly wrong?: string | undefined
  readonly onChange: (scopes: readonly Scope[]) => void
}) {
  const { t } = useText()
  const pick = (scope: Scope, picked: boolean) =>
    onChange(among.filter((one) => (one === scope ? picked : chosen.includes(one))))
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">{label}</legend>
      {hint !== undefined && <p className="text-sm text-faint">{hint}</p>}
      <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {among.map((scope) => (
          <CheckField
            key={scope}
            label={<span className="font-normal">{t(SCOPE_TEXTS[scope])}</span>}
            checked={chosen.includes(scope)}
            aria-invalid={wrong !== undefined || undefined}
            onChange={({ target }) => pick(scope, target.checked)}
          />
        ))}
      </div>
      {wrong !== undefined && <p className="text-sm text-wrong">{wrong}</p>}
    </fieldset>
  )
}
