/**
 * What the settings take and answer, made from `api/settings.json` by `pnpm openapi`; not to be edited.
 */

export interface AccountAnswer {
  readonly status: 'success'
  readonly data: {
    readonly account: AccountSettings
  }
}

export interface AccountChange {
  readonly name?: string | undefined
  readonly language?: string | null | undefined
  readonly currency?: string | null | undefined
  readonly history_days?: number | null | undefined
}

export interface AccountLimits {
  readonly names_per_day: number | null
  readonly names_per_month: number | null
  readonly requests_per_minute: number | null
  readonly checks_per_day: number | null
  readonly keys: number | null
  readonly webhooks: number | null
  readonly applications: number | null
  readonly running_batches: number | null
  readonly open_streams: number | null
  readonly history_bytes: number | null
  readonly batch_bytes: number | null
  readonly answer_bytes: number | null
  readonly favorites: number | null
}

export interface AccountSettings {
  readonly id: string
  readonly name: string
  readonly language: string | null
  readonly currency: string | null
  readonly history_days: number | null
  readonly created_at: string
  readonly role: Role
  /** The person's own account, which nobody else can belong to. */
  readonly own: boolean
  /** The person gets emails about changes of watched domains. */
  readonly change_emails: boolean
  readonly limits: AccountLimits
  readonly suspended: Suspension | null
}

export interface AccountStanding {
  readonly status: 'success'
  readonly data: {
    readonly account: {
      readonly limits: AccountLimits
      readonly suspended: Suspension | null
    }
  }
}

export interface AccountTotals {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly is_visitors: boolean
  readonly people: number
  readonly keys: number
  readonly used_today: number
  readonly used_month: number
  readonly last_used_at: string | null
  readonly limits: AccountLimits
  readonly suspended: Suspension | null
}

export interface AccountTotalsPage {
  readonly status: 'success'
  readonly data: {
    readonly accounts: readonly AccountTotals[]
    readonly next_cursor: string | null
  }
}

export const APPLICATION_DECISIONS = ['allowed', 'blocked'] as const
export type ApplicationDecision = (typeof APPLICATION_DECISIONS)[number]

export const APPLICATION_POLICYS = ['any', 'listed'] as const
export type ApplicationPolicy = (typeof APPLICATION_POLICYS)[number]

export interface ApplicationRule {
  readonly client_id: string
  /** The application's name when the rule was created. */
  readonly name: string
  readonly decision: ApplicationDecision
  readonly created_at: string
}

export interface ApplicationRules {
  readonly policy: ApplicationPolicy
  readonly rules: readonly ApplicationRule[]
}

export interface ApplicationsAnswer {
  readonly status: 'success'
  readonly data: ApplicationRules
}

export interface ClientAnswer {
  readonly status: 'success'
  readonly data: {
    readonly client: OwnClient
  }
}

export interface ClientList {
  readonly status: 'success'
  readonly data: {
    readonly clients: readonly OwnClient[]
  }
}

export interface ClientMade {
  readonly status: 'success'
  readonly data: {
    readonly client: ClientWithSecret
  }
}

export interface ClientRotated {
  readonly status: 'success'
  readonly data: {
    readonly client: ClientWithSecret
  }
}

export interface ClientWithSecret {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly created_at: string
  /** What it may do without a person. */
  readonly own_scopes: readonly Scope[]
  /** public: no secret (an app on a device). confidential: has a secret. */
  readonly kind: 'public' | 'confidential'
  readonly enabled: boolean
  readonly off_reason: 'by_hand' | 'creator_lost_access' | null
  readonly client_secret?: string | undefined
}

export interface Delivery {
  /** The id of the event, sent as the webhook-id header. */
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  readonly next_at: string | null
  readonly last_at: string | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_answer: string | null
}

export interface DeliveryAnswer {
  readonly status: 'success'
  readonly data: {
    readonly delivery: Delivery
  }
}

export interface DeliveryPage {
  readonly status: 'success'
  readonly data: {
    readonly deliveries: readonly Delivery[]
    readonly next_cursor: string | null
  }
}

export interface Done {
  readonly status: 'success'
  readonly data: Readonly<Record<string, never>>
}

export interface EndpointUse {
  readonly key_id: string
  /** `POST /v1/generate`. */
  readonly endpoint: string
  readonly days: readonly {
    readonly day: string
    readonly requests: number
    readonly failed: number
  }[]
}

export interface Grant {
  readonly id: string
  readonly client_id: string
  readonly name: string
  readonly uri: string | null
  /** Whether this account registered the application. */
  readonly own: boolean
  readonly scopes: readonly Scope[]
  readonly quota: Quota
  readonly allowed_ips: readonly string[]
  readonly created_at: string
  readonly created_by: {
    readonly id: string
    readonly name: string
  } | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
  readonly used: {
    readonly today: number
    readonly this_month: number
  }
}

export interface GrantAnswer {
  readonly status: 'success'
  readonly data: {
    readonly grant: Grant
  }
}

export interface GrantList {
  readonly status: 'success'
  readonly data: {
    readonly grants: readonly Grant[]
  }
}

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
  readonly expires_at: string
  readonly invited_by: {
    readonly id: string
    readonly name: string
  } | null
}

export interface InvitationList {
  readonly status: 'success'
  readonly data: {
    readonly invitations: readonly Invitation[]
  }
}

export interface InvitationMade {
  readonly status: 'success'
  readonly data: {
    readonly invitation: NewInvitation
  }
}

export const INVITED_ROLES = ['viewer', 'member', 'admin'] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]

export interface Key {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly Scope[]
  readonly quota: Quota
  readonly allowed_ips: readonly string[]
  readonly created_at: string
  readonly created_by: {
    readonly id: string
    readonly name: string
  } | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
  readonly used: {
    readonly today: number
    readonly this_month: number
  }
  /** Of the pages that it may be in; none for a key that is secret. */
  readonly origins: readonly string[]
  readonly expires_at: string | null
  readonly review: {
    readonly since: string
    readonly reason: 'creator_lost_access'
  } | null
}

export interface KeyAnswer {
  readonly status: 'success'
  readonly data: {
    readonly key: Key
  }
}

export interface KeyList {
  readonly status: 'success'
  readonly data: {
    readonly keys: readonly Key[]
  }
}

export interface KeyMade {
  readonly status: 'success'
  readonly data: {
    readonly key: KeyWithSecret
  }
}

export interface KeyUse {
  readonly id: string
  readonly name: string
  readonly client_id: string | null
  /** Newest first, including days without usage. */
  readonly days: readonly {
    readonly day: string
    readonly suggestions: number
  }[]
  readonly today: number
  readonly this_month: number
}

export interface KeyWithSecret {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly Scope[]
  readonly quota: Quota
  readonly allowed_ips: readonly string[]
  readonly created_at: string
  readonly created_by: {
    readonly id: string
    readonly name: string
  } | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
  readonly used: {
    readonly today: number
    readonly this_month: number
  }
  /** Of the pages that it may be in; none for a key that is secret. */
  readonly origins: readonly string[]
  readonly expires_at: string | null
  readonly review: {
    readonly since: string
    readonly reason: 'creator_lost_access'
  } | null
  readonly secret: string
}

export interface MeAnswer {
  readonly status: 'success'
  readonly data: {
    readonly person: Person
    readonly accounts: readonly Membership[]
  }
}

export interface Member {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly role: Role
  readonly joined_at: string
}

export interface MemberList {
  readonly status: 'success'
  readonly data: {
    readonly members: readonly Member[]
  }
}

export interface Membership {
  readonly id: string
  readonly name: string | null
  readonly role: Role
  /** The person's own account, which nobody else can belong to. */
  readonly own: boolean
}

export interface NewInvitation {
  readonly id: string
  readonly email: string
  readonly role: InvitedRole
  readonly expires_at: string
  /** Only where the service sends no email. */
  readonly link?: string | undefined
}

export interface OwnClient {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly created_at: string
  /** What it may do without a person. */
  readonly own_scopes: readonly Scope[]
  /** public: no secret (an app on a device). confidential: has a secret. */
  readonly kind: 'public' | 'confidential'
  readonly enabled: boolean
  readonly off_reason: 'by_hand' | 'creator_lost_access' | null
}

export interface Pass {
  readonly token: string
  readonly expires_at: string
  readonly scopes: readonly Scope[]
}

export interface PassAnswer {
  readonly status: 'success'
  readonly data: Pass
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly language: string | null
  readonly two_factor: boolean
}

/** Requests a minute, and suggestions a day and a month. */
export interface Quota {
  readonly per_minute: number
  readonly burst: number
  readonly per_day: number | null
  readonly per_month: number | null
}

/** A replaced secret that still works. */
export interface Retiring {
  readonly prefix: string
  readonly expires_at: string
  readonly last_used_at: string | null
  /** The callers that still use it, most recent first. */
  readonly uses: readonly {
    readonly address: string
    readonly user_agent: string
    readonly requests: number
    readonly last_used_at: string
  }[]
}

export interface RetiringList {
  readonly status: 'success'
  readonly data: {
    readonly retiring: readonly Retiring[]
  }
}

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export interface RotateSecretRequest {
  /** How many hours both secrets sign. Default 24; 0 revokes the old one now. */
  readonly grace_hours?: number | undefined
}

export const SCOPES = [
  'generate',
  'domains:check',
  'history:read',
  'history:write',
  'favorites:read',
  'favorites:write',
  'batches:read',
  'batches:write',
  'webhooks',
  'usage:read',
] as const
export type Scope = (typeof SCOPES)[number]

export const SECURITY_ACTIONS = [
  'key_created',
  'key_changed',
  'key_rotated',
  'key_revoked',
  'key_review_due',
  'key_kept',
  'client_created',
  'client_changed',
  'client_secret_rotated',
  'client_deleted',
  'client_disabled',
  'grant_given',
  'grant_changed',
  'grant_ended',
  'application_rule_changed',
  'application_policy_changed',
  'member_invited',
  'invitation_withdrawn',
  'member_joined',
  'member_role_changed',
  'member_removed',
  'webhook_created',
  'webhook_changed',
  'webhook_secret_rotated',
  'webhook_deleted',
  'webhook_switched_off',
  'webhook_disabled',
  'account_created',
  'account_changed',
  'account_deleted',
  'limits_changed',
  'account_suspended',
  'account_resumed',
  'signed_up',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  'password_reset',
  'email_verified',
  'email_changed',
  'passkey_added',
  'passkey_removed',
  'two_factor_on',
  'two_factor_off',
  'recovery_codes_made',
  'profile_changed',
  'exported',
  'setup_completed',
] as const
export type SecurityAction = (typeof SECURITY_ACTIONS)[number]

export interface SecurityEvent {
  readonly id: string
  readonly created_at: string
  readonly action: SecurityAction
  readonly actor: {
    readonly id: string
    readonly name: string | null
  } | null
  readonly credential: {
    readonly kind: string
    readonly id: string | null
    readonly name: string | null
  } | null
  readonly application: {
    readonly client_id: string
    readonly name: string | null
  } | null
  readonly ip: string | null
  readonly detail: Readonly<Record<string, string>>
}

export interface SecurityEventPage {
  readonly status: 'success'
  readonly data: {
    readonly security_events: readonly SecurityEvent[]
    readonly next_cursor: string | null
  }
}

export interface Sessions {
  readonly status: 'success'
  readonly data: {
    readonly sessions: readonly SignInSession[]
  }
}

export interface Share {
  readonly id: string
  readonly title: string
  readonly message: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly show_prices: boolean
  readonly items: readonly SharedItem[]
  readonly voters: number
  readonly url: string | null
  readonly created_by: string | null
  readonly voter_names: readonly string[]
}

export interface ShareAnswer {
  readonly status: 'success'
  readonly data: {
    readonly share: Share
  }
}

export interface SharedItem {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly note: string | null
  readonly available: boolean
  readonly status:
    | 'available'
    | 'premium'
    | 'for_sale'
    | 'taken'
    | 'reserved'
    | 'restricted'
    | 'unsupported'
    | 'invalid'
    | 'unknown'
  readonly price: string | null
  readonly term_years: number
  readonly checked_at: string
  readonly votes: {
    readonly up: number
    readonly down: number
  }
}

export interface SharePage {
  readonly status: 'success'
  readonly data: {
    readonly shares: readonly Share[]
    readonly next_cursor: string | null
  }
}

export interface SignInSession {
  readonly id: string
  readonly created_at: string
  readonly expires_at: string
  readonly address: string | null
  readonly browser: string | null
  /** The session of this request. */
  readonly current: boolean
}

export interface Source {
  readonly name: string
  readonly kind: 'registry' | 'registrar' | 'dns' | 'index' | 'namespace' | 'cache' | 'language_model'
  readonly state: 'well' | 'slow' | 'unreliable' | 'failing' | 'resting' | 'off'
  readonly asked: number
  readonly answered: number
  readonly failed: number
  readonly last_answer_at: string | null
  readonly detail: string | null
}

export interface SourceList {
  readonly status: 'success'
  readonly data: {
    readonly sources: readonly Source[]
  }
}

export interface StepUpAnswer {
  readonly status: 'success'
  readonly data: {
    readonly proved_until: string
  }
}

export interface StepUpMethods {
  readonly methods: readonly ('password' | 'passkey' | 'code')[]
  /** Who has only these signs in there again. */
  readonly providers: readonly string[]
  readonly proved_until: string
}

export interface StepUpMethodsAnswer {
  readonly status: 'success'
  readonly data: StepUpMethods
}

export interface Suspension {
  readonly at: string
  readonly reason: string | null
}

export interface Usage {
  readonly account: {
    /** Newest first, including days without usage. */
    readonly days: readonly {
      readonly day: string
      readonly suggestions: number
    }[]
    readonly today: number
    readonly this_month: number
  }
  readonly keys: readonly KeyUse[]
  readonly endpoints: readonly EndpointUse[]
}

export interface UsageOfAccount {
  readonly status: 'success'
  readonly data: {
    readonly usage: Usage
  }
}

export interface Webhook {
  readonly id: string
  readonly created_at: string
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly enabled: boolean
  readonly off_reason: 'by_hand' | 'failing' | 'gone' | 'creator_lost_access' | null
  readonly off_at: string | null
  readonly failing_since: string | null
  readonly old_secret_until: string | null
  /** The signing secret (whsec_…). Only in the response that creates it. */
  readonly secret?: string | undefined
}

export interface WebhookAnswer {
  readonly status: 'success'
  readonly data: {
    readonly webhook: Webhook
  }
}

export interface WebhookChange {
  /** The URL that receives events: https, port 443 or 8443, a public host. */
  readonly url?: string | undefined
  /** The event types to send. */
  readonly events?:
    | readonly (
        | 'favorite.available'
        | 'favorite.taken'
        | 'favorite.price_changed'
        | 'batch.completed'
        | 'quota.warning'
        | 'audit.entry'
      )[]
    | undefined
  readonly description?: string | null | undefined
  /** true also sends the events that were missed while the webhook was disabled. */
  readonly enabled?: boolean | undefined
}

export interface WebhookList {
  readonly status: 'success'
  readonly data: {
    readonly webhooks: readonly Webhook[]
  }
}

export interface WebhookRequest {
  /** The URL that receives events: https, port 443 or 8443, a public host. */
  readonly url: string
  /** The event types to send. */
  readonly events: readonly (
    | 'favorite.available'
    | 'favorite.taken'
    | 'favorite.price_changed'
    | 'batch.completed'
    | 'quota.warning'
    | 'audit.entry'
  )[]
  readonly description?: string | null | undefined
}

/** Every operation, by its name. */
export interface Operations {
  /** Create a webhook. */
  readonly addWebhook: {
    readonly params: {
      readonly account: string
    }
    readonly body: WebhookRequest
    readonly data: WebhookAnswer['data']
  }
  /** List webhooks. */
  readonly listWebhooks: {
    readonly params: {
      readonly account: string
    }
    readonly data: WebhookList['data']
  }
  /** Change one webhook. */
  readonly changeWebhook: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly body: WebhookChange
    readonly data: WebhookAnswer['data']
  }
  /** Delete one webhook. */
  readonly deleteWebhook: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: Readonly<Record<string, never>>
  }
  /** Rotate the webhook secret. */
  readonly rotateWebhookSecret: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly body: RotateSecretRequest
    readonly data: WebhookAnswer['data']
  }
  /** Send a test event. */
  readonly testWebhook: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: DeliveryAnswer['data']
  }
  /** List the deliveries of a webhook. */
  readonly listDeliveries: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
    }
    readonly data: DeliveryPage['data']
  }
  /** Replay a delivery. */
  readonly replayDelivery: {
    readonly params: {
      readonly account: string
      readonly id: string
      readonly delivery: string
    }
    readonly data: DeliveryAnswer['data']
  }
  /** List the sources of this node. */
  readonly listSources: {
    readonly data: SourceList['data']
  }
  /** List all accounts of the installation. */
  readonly listOperatedAccounts: {
    readonly query: {
      readonly q?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly data: AccountTotalsPage['data']
  }
  /** Change the limits of an account. */
  readonly changeLimits: {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly names_per_day?: number | null | undefined
      readonly names_per_month?: number | null | undefined
      readonly requests_per_minute?: number | null | undefined
      readonly checks_per_day?: number | null | undefined
      readonly keys?: number | null | undefined
      readonly webhooks?: number | null | undefined
      readonly applications?: number | null | undefined
      readonly running_batches?: number | null | undefined
      readonly open_streams?: number | null | undefined
      readonly history_bytes?: number | null | undefined
      readonly batch_bytes?: number | null | undefined
      readonly answer_bytes?: number | null | undefined
      readonly favorites?: number | null | undefined
    }
    readonly data: AccountStanding['data']
  }
  /** Suspend an account. */
  readonly suspendAccount: {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly reason?: string | undefined
    }
    readonly data: AccountStanding['data']
  }
  /** Resume a suspended account. */
  readonly resumeAccount: {
    readonly params: {
      readonly id: string
    }
    readonly data: AccountStanding['data']
  }
  /** List the sessions. */
  readonly listSessions: {
    readonly data: Sessions['data']
  }
  /** End all other sessions. */
  readonly endOtherSessions: {
    readonly data: Done['data']
  }
  /** End a session. */
  readonly endSession: {
    readonly params: {
      readonly id: string
    }
    readonly data: Done['data']
  }
  /** List the ways to confirm that it is you. */
  readonly getStepUp: {
    readonly data: StepUpMethodsAnswer['data']
  }
  /** Confirm that it is you. */
  readonly stepUp: {
    readonly body:
      | {
          readonly password: string
        }
      | {
          readonly code: string
        }
      | {
          readonly passkey: Readonly<Record<string, unknown>>
        }
    readonly data: StepUpAnswer['data']
  }
  /** Ask for another email address. */
  readonly changeEmail: {
    readonly body: {
      readonly email: string
    }
    readonly data: Done['data']
  }
  /** Get an access token for an hour, for our own pages. */
  readonly givePass: {
    readonly params: {
      readonly account: string
    }
    readonly data: PassAnswer['data']
  }
  /** List the applications that the account registered. */
  readonly listClients: {
    readonly params: {
      readonly account: string
    }
    readonly data: ClientList['data']
  }
  /** Register an application. */
  readonly registerClient: {
    readonly params: {
      readonly account: string
    }
    readonly body: {
      readonly name: string
      /** public: no secret (an app on a device). confidential: has a secret. */
      readonly kind: 'public' | 'confidential'
      readonly redirect_uris?: readonly string[] | undefined
      readonly own_scopes?: readonly Scope[] | undefined
    }
    readonly data: ClientMade['data']
  }
  /** Change, enable or disable an application. */
  readonly changeClient: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly body: {
      readonly name?: string | undefined
      readonly redirect_uris?: readonly string[] | undefined
      readonly own_scopes?: readonly Scope[] | undefined
      readonly enabled?: boolean | undefined
    }
    readonly data: ClientAnswer['data']
  }
  /** Delete an application. */
  readonly deleteClient: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: Done['data']
  }
  /** Create a new secret for an application. */
  readonly rotateClientSecret: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: ClientRotated['data']
  }
  /** List the applications that may act for the account. */
  readonly listGrants: {
    readonly params: {
      readonly account: string
    }
    readonly data: GrantList['data']
  }
  /** Change the limits of an application. */
  readonly changeGrant: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly body: {
      readonly quota?:
        | {
            readonly per_minute?: number | undefined
            readonly burst?: number | undefined
            readonly per_day?: number | null | undefined
            readonly per_month?: number | null | undefined
          }
        | undefined
      readonly allowed_ips?: readonly string[] | undefined
    }
    readonly data: GrantAnswer['data']
  }
  /** Revoke an application. */
  readonly endGrant: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: Done['data']
  }
  /** Get the signed-in person and their accounts. */
  readonly getMe: {
    readonly data: MeAnswer['data']
  }
  /** Change your name or language. */
  readonly changeMe: {
    readonly body: {
      readonly name?: string | undefined
      readonly language?: string | null | undefined
    }
    readonly data: MeAnswer['data']
  }
  /** Delete yourself, with the accounts that only you belong to. */
  readonly deleteMe: {
    readonly data: Done['data']
  }
  /** Create an account. */
  readonly createAccount: {
    readonly body: {
      readonly name: string
    }
    readonly data: AccountAnswer['data']
  }
  /** Get an account. */
  readonly getAccount: {
    readonly params: {
      readonly account: string
    }
    readonly data: AccountAnswer['data']
  }
  /** Change an account. */
  readonly changeAccount: {
    readonly params: {
      readonly account: string
    }
    readonly body: AccountChange
    readonly data: AccountAnswer['data']
  }
  /** Delete an account, with everything that it owns. */
  readonly deleteAccount: {
    readonly params: {
      readonly account: string
    }
    readonly data: Done['data']
  }
  /** Get emails about changes of watched domains, or no longer. */
  readonly switchChangeEmails: {
    readonly params: {
      readonly account: string
    }
    readonly body: {
      readonly is_on: boolean
    }
    readonly data: AccountAnswer['data']
  }
  /** List the members. */
  readonly listMembers: {
    readonly params: {
      readonly account: string
    }
    readonly data: MemberList['data']
  }
  /** Change the role of a member. */
  readonly changeMember: {
    readonly params: {
      readonly account: string
      readonly user: string
    }
    readonly body: {
      readonly role: Role
    }
    readonly data: MemberList['data']
  }
  /** Remove a member, or leave. */
  readonly removeMember: {
    readonly params: {
      readonly account: string
      readonly user: string
    }
    readonly data: Done['data']
  }
  /** List the invitations that are open. */
  readonly listInvitations: {
    readonly params: {
      readonly account: string
    }
    readonly data: InvitationList['data']
  }
  /** Invite somebody by email. */
  readonly invite: {
    readonly params: {
      readonly account: string
    }
    readonly body: {
      readonly email: string
      readonly role: InvitedRole
    }
    readonly data: InvitationMade['data']
  }
  /** Withdraw an invitation. */
  readonly withdrawInvitation: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: Done['data']
  }
  /** Accept an invitation. */
  readonly acceptInvitation: {
    readonly body: {
      readonly token: string
    }
    readonly data: AccountAnswer['data']
  }
  /** Read the audit log, newest first. */
  readonly listSecurityEvents: {
    readonly params: {
      readonly account: string
    }
    readonly query: {
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly data: SecurityEventPage['data']
  }
  /** List the keys. */
  readonly listKeys: {
    readonly params: {
      readonly account: string
    }
    readonly data: KeyList['data']
  }
  /** Create a key. */
  readonly createKey: {
    readonly params: {
      readonly account: string
    }
    readonly body: {
      readonly name: string
      readonly scopes: readonly Scope[]
      readonly quota?:
        | {
            readonly per_minute?: number | undefined
            readonly burst?: number | undefined
            readonly per_day?: number | null | undefined
            readonly per_month?: number | null | undefined
          }
        | undefined
      readonly allowed_ips?: readonly string[] | undefined
      readonly origins?: readonly string[] | undefined
      readonly expires_at?: string | null | undefined
    }
    readonly data: KeyMade['data']
  }
  /** Change a key. */
  readonly changeKey: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly body: {
      readonly name?: string | undefined
      readonly scopes?: readonly Scope[] | undefined
      readonly quota?:
        | {
            readonly per_minute?: number | undefined
            readonly burst?: number | undefined
            readonly per_day?: number | null | undefined
            readonly per_month?: number | null | undefined
          }
        | undefined
      readonly allowed_ips?: readonly string[] | undefined
      readonly origins?: readonly string[] | undefined
      readonly expires_at?: string | null | undefined
    }
    readonly data: KeyAnswer['data']
  }
  /** Revoke a key. */
  readonly revokeKey: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: Done['data']
  }
  /** Create a new secret for a key. */
  readonly rotateKey: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly body: {
      readonly grace_seconds?: number | undefined
    }
    readonly data: KeyMade['data']
  }
  /** Keep a key that is listed for review. */
  readonly keepKey: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: KeyAnswer['data']
  }
  /** List the replaced secrets of a key, and who uses them. */
  readonly listRetiring: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: RetiringList['data']
  }
  /** Get the rules about applications. */
  readonly getApplications: {
    readonly params: {
      readonly account: string
    }
    readonly data: ApplicationsAnswer['data']
  }
  /** Allow any application, or only the listed ones. */
  readonly changeApplicationPolicy: {
    readonly params: {
      readonly account: string
    }
    readonly body: {
      readonly policy: ApplicationPolicy
    }
    readonly data: ApplicationsAnswer['data']
  }
  /** Allow or block an application, or remove its rule. */
  readonly putApplicationRule: {
    readonly params: {
      readonly account: string
    }
    readonly body: {
      readonly client_id: string
      readonly decision: ApplicationDecision | null
    }
    readonly data: ApplicationsAnswer['data']
  }
  /** Get the usage of an account. */
  readonly getAccountUsage: {
    readonly params: {
      readonly account: string
    }
    readonly query: {
      /** Number of days, including today. Default 31. */
      readonly days?: number | undefined
    }
    readonly data: UsageOfAccount['data']
  }
  /** List the shared lists. */
  readonly listShares: {
    readonly params: {
      readonly account: string
    }
    readonly query: {
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    readonly data: SharePage['data']
  }
  /** Share names by a link. */
  readonly createShare: {
    readonly params: {
      readonly account: string
    }
    readonly body: {
      readonly title: string
      readonly names?:
        | readonly {
            readonly name: string
            readonly domain: string
          }[]
        | undefined
      readonly message?: string | undefined
      readonly expires_in_days?: number | undefined
      readonly show_prices?: boolean | undefined
      readonly favorite_ids?: readonly string[] | undefined
    }
    readonly data: ShareAnswer['data']
  }
  /** End a shared list. */
  readonly endShare: {
    readonly params: {
      readonly account: string
      readonly id: string
    }
    readonly data: Done['data']
  }
}
