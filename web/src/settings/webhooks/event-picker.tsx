/** The events that a webhook receives. */
import { EVENTS } from '../../api/webhooks.ts'
import { useText } from '../../i18n/i18n.ts'
import { CheckField } from '../../ui/field.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { EVENT_TEXTS } from './words.ts'

export function EventPicker({
  chosen,
  wrong,
  onChange,
}: {
  readonly chosen: readonly string[]
  readonly wrong: string | undefined
  readonly onChange: (events: readonly string[]) => void
}) {
  const { t } = useText()
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium">{t('webhooks.events')}</legend>
      {EVENTS.map((event) => (
        <CheckField
          key={event}
          label={<span className="font-normal">{t(EVENT_TEXTS[event])}</span>}
          hint={<Ltr className="font-mono">{event}</Ltr>}
          checked={chosen.includes(event)}
          aria-invalid={wrong !== undefined || undefined}
          onChange={({ target }) =>
            onChange(EVENTS.filter((one) => (one === event ? target.checked : chosen.includes(one))))
          }
        />
      ))}
      {wrong !== undefined && <p className="text-sm text-wrong">{wrong}</p>}
    </fieldset>
  )
}
