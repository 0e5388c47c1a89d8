/** One event: what happened, to what, by whom, when and from where. */
import type { SecurityEvent } from '../../api/audit.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { findAction } from './actions.ts'
import type { Kind } from './actions.ts'

const ICONS: Readonly<Record<Kind, IconName>> = {
  signIn: 'shield',
  keys: 'key',
  apps: 'plug',
  people: 'people',
  account: 'gear',
}

// What of the details says something to a person; the rest are ids.
const TOLD = ['name', 'email', 'host', 'url'] as const

export function EventRow({ event }: { readonly event: SecurityEvent }) {
  const { t } = useText()
  const format = useFormat()
  const { action: word, actor, ip, created_at: at, detail } = event
  const action = findAction(word)
  const about = TOLD.map((name) => detail[name]).find((value) => typeof value === 'string' && value !== '')
  return (
    <li className="flex gap-3 px-4 py-3">
      <Icon
        name={action?.grave ? 'warn' : ICONS[action?.kind ?? 'account']}
        className={action?.grave ? 'mt-0.5 text-sale' : 'mt-0.5 text-faint'}
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-2">
          <span className="font-medium">{action ? t(action.text) : <Ltr className="font-mono">{word}</Ltr>}</span>
          {typeof about === 'string' && <bdi className="text-faint">{about}</bdi>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-faint">
          {actor !== null && <bdi>{actor.name ?? t('audit.formerMember')}</bdi>}
          <time dateTime={at} title={format.ago(at)}>
            {format.dateTime(at)}
          </time>
          {ip !== null && <Ltr>{ip}</Ltr>}
        </p>
      </div>
    </li>
  )
}
