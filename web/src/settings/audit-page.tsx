/** The audit log: security events of the account in the last 90 days, newest first. For its admins. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { auditQuery } from '../api/audit.ts'
import type { SecurityEvent } from '../api/settings-types.ts'
import { isAtLeast, useAccount } from '../api/session.ts'
import { useFormat } from '../i18n/format.ts'
import { useText, type TextId } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Icon } from '../ui/icon.tsx'
import { Badge, Empty, Ltr, PageTitle, Skeleton } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'

/**
 * Everything that the audit log can say (`server/src/model/security-action.ts`). An action of a newer or older service is
 * shown by its own word.
 */
const ACTIONS: Readonly<Record<string, TextId>> = {
  key_created: 'audit.keyCreated',
  key_changed: 'audit.keyChanged',
  key_rotated: 'audit.keyRotated',
  key_revoked: 'audit.keyRevoked',
  key_review_due: 'audit.keyReviewDue',
  key_kept: 'audit.keyKept',
  client_created: 'audit.clientCreated',
  client_changed: 'audit.clientChanged',
  client_secret_rotated: 'audit.clientSecretRotated',
  client_deleted: 'audit.clientDeleted',
  client_disabled: 'audit.clientDisabled',
  grant_given: 'audit.grantGiven',
  grant_changed: 'audit.grantChanged',
  grant_ended: 'audit.grantEnded',
  application_rule_changed: 'audit.applicationRuleChanged',
  application_policy_changed: 'audit.applicationPolicyChanged',
  webhook_created: 'audit.webhookCreated',
  webhook_changed: 'audit.webhookChanged',
  webhook_secret_rotated: 'audit.webhookSecretRotated',
  webhook_deleted: 'audit.webhookDeleted',
  webhook_switched_off: 'audit.webhookSwitchedOff',
  webhook_disabled: 'audit.webhookDisabled',
  member_invited: 'audit.memberInvited',
  invitation_withdrawn: 'audit.invitationWithdrawn',
  member_joined: 'audit.memberJoined',
  member_role_changed: 'audit.memberRoleChanged',
  member_removed: 'audit.memberRemoved',
  account_created: 'audit.accountCreated',
  account_changed: 'audit.accountChanged',
  account_deleted: 'audit.accountDeleted',
  limits_changed: 'audit.limitsChanged',
  account_suspended: 'audit.accountSuspended',
  account_resumed: 'audit.accountResumed',
  profile_changed: 'audit.profileChanged',
  exported: 'audit.exported',
  setup_completed: 'audit.setupCompleted',
  signed_up: 'audit.signedUp',
  signed_in: 'audit.signedIn',
  sign_in_failed: 'audit.signInFailed',
  signed_out: 'audit.signedOut',
  session_ended: 'audit.sessionEnded',
  password_changed: 'audit.passwordChanged',
  password_reset: 'audit.passwordReset',
  email_verified: 'audit.emailVerified',
  email_changed: 'audit.emailChanged',
  passkey_added: 'audit.passkeyAdded',
  passkey_removed: 'audit.passkeyRemoved',
  two_factor_on: 'audit.twoFactorOn',
  two_factor_off: 'audit.twoFactorOff',
  recovery_codes_made: 'audit.recoveryCodesMade',
}

/** They need attention. */
const GRAVE: ReadonlySet<string> = new Set([
  'key_review_due',
  'client_disabled',
  'webhook_switched_off',
  'webhook_disabled',
  'account_suspended',
  'sign_in_failed',
  'password_reset',
  'email_changed',
  'two_factor_off',
])

const DECISIONS: Readonly<Record<string, TextId>> = {
  allowed: 'apps.ruleAllowed',
  blocked: 'apps.ruleBlocked',
  none: 'apps.ruleNone',
}

// What of the details says something to a person; the rest are ids.
const SUBJECTS = ['name', 'email', 'host', 'url'] as const

export default function AuditPage() {
  const { t } = useText()
  const account = useAccount()
  if (!account) return null
  return (
    <>
      <PageTitle>{t('audit.title')}</PageTitle>
      <p className="-mt-5 mb-8 max-w-[40rem] text-faint">{t('audit.text')}</p>
      {isAtLeast(account.role, 'admin') ? (
        <Events account={account.id} />
      ) : (
        <Empty icon="shield" title={t('audit.adminsOnly')}>
          {t('audit.adminsOnlyText')}
        </Empty>
      )}
    </>
  )
}

function Events({ account }: { readonly account: string }) {
  const { t } = useText()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(auditQuery(account))
  const all = data?.pages.flatMap(({ security_events: events }) => events)
  return (
    <div className="grid gap-6" aria-busy={!data && !error}>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-96" />}
      {all && (
        <Table
          caption={t('audit.title')}
          head={[t('history.when'), t('webhooks.event'), t('team.member'), t('keys.address')]}
        >
          {all.map((event) => (
            <Row key={event.id} event={event} />
          ))}
        </Table>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('audit.older')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Row({
  event: { action, actor, credential, application, created_at: at, ip, detail },
}: {
  readonly event: SecurityEvent
}) {
  const { t } = useText()
  const format = useFormat()
  const text = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  const about = SUBJECTS.map((name) => detail[name]).find((value) => typeof value === 'string' && value !== '')
  const decision = action === 'application_rule_changed' ? DECISIONS[String(detail['decision'])] : undefined
  return (
    <tr>
      <td className="whitespace-nowrap">
        <time dateTime={at}>{format.dateTime(at)}</time>
      </td>
      <td className="min-w-48">
        {GRAVE.has(action) && <Icon name="warn" className="me-1.5 inline text-sale" />}
        {text ? t(text) : <Ltr className="font-mono">{action}</Ltr>}
        {typeof about === 'string' && <bdi className="block text-faint">{about}</bdi>}
        {decision && <Badge tone={detail['decision'] === 'blocked' ? 'wrong' : 'unknown'}>{t(decision)}</Badge>}
      </td>
      <td className="min-w-40">
        {actor !== null && <bdi>{actor.name ?? t('audit.formerMember')}</bdi>}
        <bdi className="block text-sm text-faint">
          {application !== null && credential?.kind !== 'session'
            ? t('audit.throughApp', { name: application.name ?? application.client_id })
            : credential?.kind === 'session'
              ? t('audit.inSession')
              : credential && t('audit.withKey', { name: credential.name ?? credential.id ?? '' })}
        </bdi>
      </td>
      <td>{ip !== null && <Ltr>{ip}</Ltr>}</td>
    </tr>
  )
}
