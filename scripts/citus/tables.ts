/** Which tables are not spread over shards by their account, and what is excepted from the rules; each with its reason. */

/** A reference table is on every machine; a local one on the coordinator alone. Everything else is a tenant's. */
export const SHARED: Readonly<Record<string, { readonly as: 'reference' | 'local'; readonly reason: string }>> = {
  key_change: { as: 'reference', reason: 'what nodes must forget of keys, of all accounts in one look' },
  key_secret: { as: 'reference', reason: 'found by its hash, before the account is known' },
  migration: { as: 'local', reason: 'which files were applied' },
  operator_account: { as: 'reference', reason: 'one row' },
  share_link: { as: 'reference', reason: 'found by its hash, before the account is known' },
  switched_off: { as: 'reference', reason: 'a few rows that every node reads' },
  tombstone: { as: 'local', reason: 'hashes of what was deleted, kept for the restore of a backup' },
  watched_domain: { as: 'local', reason: 'one look at a domain serves all accounts that watch it' },
  watcher: { as: 'local', reason: 'found by domain: who is to be told of a look' },
}

/** Of the queue and of people, whose rows belong to no account: whole schemas on the coordinator. */
export const LOCAL_SCHEMAS: readonly string[] = ['jobs', 'people']

export interface Exception {
  /** A file of the source, `schema`, `function` or `trigger`. */
  readonly where: string
  /** The statement's name, or none for those of the file that have none; the constraint, function or trigger. */
  readonly name: string
  readonly rule: string
  readonly reason: string
}

const READ_ALL = 'reads all shards and gathers the answers, which Citus does; '
const WITHIN_PLAN =
  'of one account: to become a statement beside each insert that counts the rows under the lock of its plan'
const FOR_WATCHING = 'with the triggers of favorites: the service would keep the list of watched domains itself'

export const EXCEPTIONS: readonly Exception[] = [
  {
    where: 'schema',
    name: 'operator_account_id_fkey',
    rule: 'foreign-key',
    reason: 'to be dropped: delete-account.ts would remove the row itself',
  },
  {
    where: 'function',
    name: 'account_totals',
    rule: 'reads-tables',
    reason: `${READ_ALL}a page of accounts for the operator, each with its own rows only`,
  },
  {
    where: 'function',
    name: 'account_plans',
    rule: 'reads-tables',
    reason: `${READ_ALL}a page of accounts for the operator, one row each`,
  },
  { where: 'function', name: 'keep_within_plan', rule: 'reads-tables', reason: WITHIN_PLAN },
  {
    where: 'function',
    name: 'enqueue_jobs',
    rule: 'reads-tables',
    reason: 'locks the row of the acting account, then writes to the queue, which is local: runs on the coordinator',
  },
  {
    where: 'function',
    name: 'note_traffic',
    rule: 'reads-tables',
    reason: 'one account after the other, each statement with its account_id: runs on the coordinator',
  },
  {
    where: 'function',
    name: 'tell_webhooks',
    rule: 'reads-tables',
    reason: 'of the account of the event; as a trigger it falls, see event.event_told',
  },
  { where: 'function', name: 'bury', rule: 'reads-tables', reason: 'see account.bury' },
  { where: 'function', name: 'current_of', rule: 'reads-tables', reason: FOR_WATCHING },
  { where: 'function', name: 'favorite_watched', rule: 'reads-tables', reason: FOR_WATCHING },
  { where: 'function', name: 'favorites_gone', rule: 'reads-tables', reason: FOR_WATCHING },
  { where: 'function', name: 'forget_unwatched', rule: 'reads-tables', reason: 'local tables only' },
  {
    where: 'trigger',
    name: 'account.bury',
    rule: 'trigger',
    reason: 'to be written by delete-account.ts in the same transaction',
  },
  { where: 'trigger', name: 'api_key.application_again_within_plan', rule: 'trigger', reason: WITHIN_PLAN },
  { where: 'trigger', name: 'api_key.application_within_plan', rule: 'trigger', reason: WITHIN_PLAN },
  { where: 'trigger', name: 'api_key.key_within_plan', rule: 'trigger', reason: WITHIN_PLAN },
  { where: 'trigger', name: 'batch.batch_within_plan', rule: 'trigger', reason: WITHIN_PLAN },
  { where: 'trigger', name: 'webhook.webhook_within_plan', rule: 'trigger', reason: WITHIN_PLAN },
  {
    where: 'trigger',
    name: 'event.event_told',
    rule: 'trigger',
    reason: 'to become a statement beside each that inserts an event; the deliveries are of the same account',
  },
  { where: 'trigger', name: 'favorite.favorite_came', rule: 'trigger', reason: FOR_WATCHING },
  { where: 'trigger', name: 'favorite.favorite_turned', rule: 'trigger', reason: FOR_WATCHING },
  { where: 'trigger', name: 'favorite.favorite_went', rule: 'trigger', reason: FOR_WATCHING },
  {
    where: 'server/src/tenancy/accounts/operator.ts',
    name: 'operator_is',
    rule: 'unrouted',
    reason: 'one account, which the reference table names; asked when somebody opens the page of the operator',
  },
  {
    where: 'server/src/cli/backup/ledger.ts',
    name: '',
    rule: 'unrouted',
    reason: `${READ_ALL}after a restore, by the operator`,
  },
  {
    where: 'server/src/cli/backup/tombstones.ts',
    name: '',
    rule: 'unrouted',
    reason: `${READ_ALL}after a restore, by the operator`,
  },
  {
    where: 'server/src/platform/db/migrate.ts',
    name: '',
    rule: 'advisory-lock',
    reason: 'one migration at a time, on the coordinator; nothing that serves a request needs it',
  },
  {
    where: 'server/src/library/history/history.ts',
    name: 'name',
    rule: 'unrouted',
    reason: 'put together of the filters that are there; the condition that is always there is account_id = $1',
  },
  {
    where: 'server/src/automation/jobs/jobs.ts',
    name: '',
    rule: 'unrouted',
    reason: `${READ_ALL}pages of accounts for the work of the night`,
  },
  {
    where: 'server/src/tenancy/members/members.ts',
    name: 'member_accounts',
    rule: 'unrouted',
    reason: `${READ_ALL}the accounts of one person, once per sign-in`,
  },
  {
    where: 'server/src/library/watch/suspension.ts',
    name: 'watch_pause',
    rule: 'mixed',
    reason: 'to become two statements: the favorites of the account on its shard, then the watchers on the coordinator',
  },
  {
    where: 'server/src/library/watch/suspension.ts',
    name: 'watch_resume',
    rule: 'mixed',
    reason: 'to become two statements: the favorites of the account on its shard, then the watchers on the coordinator',
  },
  {
    where: 'server/src/library/watch/watch.ts',
    name: 'watch_tell',
    rule: 'mixed',
    reason: 'to become two statements: the watchers on the coordinator, then the favorites of the account on its shard',
  },
]
