/**
 * Everything that the audit log can say (`server/src/model/security-action.ts`), by kind, each with its sentence. An
 * action of a newer service that is not here yet is shown by its own word.
 */
import type { TextId } from '../../i18n/i18n.ts'

export const KINDS = ['signIn', 'keys', 'apps', 'people', 'account'] as const
export type Kind = (typeof KINDS)[number]

interface Action {
  readonly kind: Kind
  readonly text: TextId
  /** It needs attention. */
  readonly grave?: true
}

const ACTIONS: Readonly<Record<string, Action>> = {
  key_created: { kind: 'keys', text: 'audit.keyCreated' },
  key_changed: { kind: 'keys', text: 'audit.keyChanged' },
  key_rotated: { kind: 'keys', text: 'audit.keyRotated' },
  key_revoked: { kind: 'keys', text: 'audit.keyRevoked' },
  key_review_due: { kind: 'keys', text: 'audit.keyReviewDue', grave: true },
  key_kept: { kind: 'keys', text: 'audit.keyKept' },
  client_created: { kind: 'apps', text: 'audit.clientCreated' },
  client_changed: { kind: 'apps', text: 'audit.clientChanged' },
  client_secret_rotated: { kind: 'apps', text: 'audit.clientSecretRotated' },
  client_deleted: { kind: 'apps', text: 'audit.clientDeleted' },
  client_disabled: { kind: 'apps', text: 'audit.clientDisabled', grave: true },
  grant_given: { kind: 'apps', text: 'audit.grantGiven' },
  grant_changed: { kind: 'apps', text: 'audit.grantChanged' },
  grant_ended: { kind: 'apps', text: 'audit.grantEnded' },
  application_rule_changed: { kind: 'apps', text: 'audit.applicationRuleChanged' },
  application_policy_changed: { kind: 'apps', text: 'audit.applicationPolicyChanged' },
  webhook_created: { kind: 'apps', text: 'audit.webhookCreated' },
  webhook_changed: { kind: 'apps', text: 'audit.webhookChanged' },
  webhook_secret_rotated: { kind: 'apps', text: 'audit.webhookSecretRotated' },
  webhook_deleted: { kind: 'apps', text: 'audit.webhookDeleted' },
  webhook_switched_off: { kind: 'apps', text: 'audit.webhookSwitchedOff', grave: true },
  webhook_disabled: { kind: 'apps', text: 'audit.webhookDisabled', grave: true },
  member_invited: { kind: 'people', text: 'audit.memberInvited' },
  invitation_withdrawn: { kind: 'people', text: 'audit.invitationWithdrawn' },
  member_joined: { kind: 'people', text: 'audit.memberJoined' },
  member_role_changed: { kind: 'people', text: 'audit.memberRoleChanged' },
  member_removed: { kind: 'people', text: 'audit.memberRemoved' },
  account_created: { kind: 'account', text: 'audit.accountCreated' },
  account_changed: { kind: 'account', text: 'audit.accountChanged' },
  account_deleted: { kind: 'account', text: 'audit.accountDeleted' },
  limits_changed: { kind: 'account', text: 'audit.limitsChanged' },
  account_suspended: { kind: 'account', text: 'audit.accountSuspended', grave: true },
  account_resumed: { kind: 'account', text: 'audit.accountResumed' },
  profile_changed: { kind: 'account', text: 'audit.profileChanged' },
  exported: { kind: 'account', text: 'audit.exported' },
  audit_log_exported: { kind: 'account', text: 'audit.logExported' },
  setup_completed: { kind: 'account', text: 'audit.setupCompleted' },
  signed_up: { kind: 'signIn', text: 'audit.signedUp' },
  signed_in: { kind: 'signIn', text: 'audit.signedIn' },
  sign_in_failed: { kind: 'signIn', text: 'audit.signInFailed', grave: true },
  signed_out: { kind: 'signIn', text: 'audit.signedOut' },
  session_ended: { kind: 'signIn', text: 'audit.sessionEnded' },
  password_changed: { kind: 'signIn', text: 'audit.passwordChanged' },
  password_reset: { kind: 'signIn', text: 'audit.passwordReset', grave: true },
  email_verified: { kind: 'signIn', text: 'audit.emailVerified' },
  email_changed: { kind: 'signIn', text: 'audit.emailChanged', grave: true },
  passkey_added: { kind: 'signIn', text: 'audit.passkeyAdded' },
  passkey_removed: { kind: 'signIn', text: 'audit.passkeyRemoved' },
  two_factor_on: { kind: 'signIn', text: 'audit.twoFactorOn' },
  two_factor_off: { kind: 'signIn', text: 'audit.twoFactorOff', grave: true },
  recovery_codes_made: { kind: 'signIn', text: 'audit.recoveryCodesMade' },
}

export const KIND_TEXTS = {
  signIn: 'audit.kindSignIn',
  keys: 'audit.kindKeys',
  apps: 'audit.kindApps',
  people: 'audit.kindPeople',
  account: 'audit.kindAccount',
} as const satisfies Record<Kind, TextId>

export function findAction(word: string): Action | undefined {
  return Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined
}
