/**
 * Whether one application may connect, and the buttons that change it. They are buttons and not a list to choose from: a list
 * saves whatever the arrow keys pass on the way, and "Allowed" must never be passed by accident.
 */
import type { ApplicationDecision } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Ltr } from '../../ui/layout.tsx'

export interface Decidable {
  readonly client: string
  readonly name: string
  readonly decision: ApplicationDecision | undefined
}

export function ApplicationRule({
  of: { client, name, decision },
  busy,
  onDecide,
}: {
  readonly of: Decidable
  readonly busy: boolean
  readonly onDecide: (client: string, decision: ApplicationDecision | null) => void
}) {
  const { t } = useText()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:flex-nowrap">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{name}</span>
          <State of={decision} />
        </div>
        <Ltr className="font-mono text-sm break-all text-faint">{client}</Ltr>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">
        {decision !== 'allowed' && (
          <Button
            small
            disabled={busy}
            aria-label={t('apps.allowNamed', { name })}
            onClick={() => onDecide(client, 'allowed')}
          >
            {t('apps.allow')}
          </Button>
        )}
        {decision !== 'blocked' && (
          <Button
            small
            kind="danger"
            disabled={busy}
            aria-label={t('apps.blockNamed', { name })}
            onClick={() => onDecide(client, 'blocked')}
          >
            {t('apps.block')}
          </Button>
        )}
        {decision !== undefined && (
          <Button
            small
            kind="quiet"
            disabled={busy}
            aria-label={t('apps.ruleRemoveNamed', { name })}
            onClick={() => onDecide(client, null)}
          >
            {t('apps.ruleRemove')}
          </Button>
        )}
      </div>
    </li>
  )
}

function State({ of }: { readonly of: ApplicationDecision | undefined }) {
  const { t } = useText()
  if (of === 'allowed') return <Badge tone="free">{t('apps.ruleAllowed')}</Badge>
  if (of === 'blocked') return <Badge tone="wrong">{t('apps.ruleBlocked')}</Badge>
  return <Badge tone="unknown">{t('apps.ruleNone')}</Badge>
}
