/** One event: what happened, to what, by whom, with which credential, when and from where. */
import type { SecurityEvent } from '../../api/audit.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Badge, Ltr } from '../../ui/layout.tsx'
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
const SUBJECTS = ['name', 'email', 'host', 'url'] as const

export function EventRow({ event }: { readonly event: SecurityEvent }) {
  const { t } = useText()
  const format = useFormat()
  const { action: word, actor, ip, created_at: at, detail } = event
  const action = findAction(word)
  const about = SUBJECTS.map((name) => detail[name]).find((value) => typeof value === 'string' && value !== '')
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
          <Decided of={event} />
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-faint">
          {actor !== null && <bdi>{actor.name ?? t('audit.formerMember')}</bdi>}
          <Means of={event} />
          <time dateTime={at} title={format.ago(at)}>
            {format.dateTime(at)}
          </time>
          {ip !== null && <Ltr>{ip}</Ltr>}
        </p>
      </div>
    </li>
  )
}

const DECISIONS = { allowed: 'apps.ruleAllowed', blocked: 'apps.ruleBlocked', none: 'apps.ruleNone' } as const

/** What an admin decided about an application. */
function Decided({ of: { action, detail } }: { readonly of: SecurityEvent }) {
  const { t } = useText()
  if (action !== 'application_rule_changed') return null
  const { decision } = detail
  if (decision !== 'allowed' && decision !== 'blocked' && decision !== 'none') return null
  return <Badge tone={decision === 'blocked' ? 'wrong' : 'unknown'}>{t(DECISIONS[decision])}</Badge>
}

/** With which credential: a browser, a key, or an application. */
function Means({ of: { credential, application } }: { readonly of: SecurityEvent }) {
  const { t } = useText()
  if (application !== null && credential?.kind !== 'session') {
    return <bdi>{t('audit.throughApp', { name: application.name ?? application.client_id })}</bdi>
  }
  if (credential === null) return null
  if (credential.kind === 'session') return <span>{t('audit.inSession')}</span>
  return <bdi>{t('audit.withKey', { name: credential.name ?? credential.id ?? '' })}</bdi>
}
