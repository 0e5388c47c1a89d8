/**
 * `namewright-server admin`: manages accounts, keys and people from a terminal. There is no default account, key or
 * password; the first ones are created here. A key's text is printed once, by the call that creates it, and cannot be
 * read again.
 */
import { readFile } from 'node:fs/promises'
import {
  changeLimits,
  inviteByOperator,
  openAccounts,
  openMembers,
  resumeAccount,
  type Standing,
  suspendAccount,
} from '../features/accounts/index.ts'
import { openKeys } from '../features/keys/index.ts'
import { openPeopleForOperator, openSessions, removeSecondFactor } from '../features/sign-in/index.ts'
import { isAdminCommand, USAGES, usageOf } from './admin/usage.ts'
import {
  emailOf,
  expiryOf,
  idOf,
  languageOf,
  limitsOf,
  numberOf,
  originOf,
  rangeOf,
  roleOf,
  scopesOf,
  textOf,
} from './admin/values.ts'
import { isHelp, parseOptions, UsageError, type StandardStreams } from './command-line.ts'
import type { Config } from '../platform/config/config.ts'
import { publicUrlOf } from '../platform/config/public-url.ts'
import { isViolationOf, openDb } from '../platform/db/db.ts'
import { openPeoplePool } from '../platform/db/people-pool.ts'
import { ApiError } from '../model/errors.ts'
import { openLog } from '../platform/log.ts'
import { openMail } from '../platform/mail/mail.ts'
import { PUBLISHABLE_SCOPES, SCOPES, type AccountId, type KeyId } from '../model/caller.ts'
import { rowOf } from '../model/plan.ts'
import { openAuditLog } from '../platform/audit-log/audit-log.ts'
import { openShares } from '../features/shares/index.ts'
import { openWatch } from '../features/watch/index.ts'
import { wakeAll as wakingAll } from '../features/webhooks/index.ts'

// A hundred years; a later date may not be representable.
const DAYS_MAX = 36_500
const RATE_MAX = 1_000_000_000
const ACCOUNTS_AT_ONCE = 500

export async function runAdmin(
  args: readonly string[],
  config: Config,
  { stdout, stderr }: StandardStreams,
): Promise<number> {
  if (isHelp(args) || args.length === 0 || args[0] === 'help') {
    stdout.write(`${usageOf(args)}\n`)
    return 0
  }
  try {
    const parsed = parse(args)
    await using tools = await openTools(config)
    for await (const line of run(parsed, tools)) stdout.write(`${visible(line)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    stderr.write(`${error.message}\n${usageOf(args)}\n`)
    return 2
  }
}

// Control characters but the line feed; separators of lines; direction marks and overrides.
const UNSEEN = /[^\P{Cc}\n]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu

/** Names come from strangers: a terminal would take some characters as commands, or show others in reverse. */
function visible(line: string): string {
  return line.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function parse([command = '', ...args]: readonly string[]) {
  if (!isAdminCommand(command)) throw new UsageError(`There is no command admin ${command}.`)
  const options: Readonly<Record<string, { readonly type: 'string' }>> = USAGES[command].options
  return { command, values: parseOptions(args, options) }
}

async function openTools(config: Config) {
  await using opening = new AsyncDisposableStack()
  const url = config.database.url.reveal()
  const db = openDb({ url, poolSize: 1 })
  opening.defer(() => db.close())
  const keys = openKeys({ db, now: Date.now })
  opening.defer(() => keys.close())
  const pool = openPeoplePool({ url })
  opening.defer(() => pool.close())
  const ca = config.outbound.caFile && (await readFile(config.outbound.caFile, 'utf8'))
  const log = openLog('warn')
  const mail = await openMail({ url: config.mail?.url, from: config.mail?.from, log, ...(ca ? { ca } : {}) })
  opening.defer(() => mail.close())
  const closers = opening.move()
  return {
    keys,
    mail,
    accounts: openAccounts({ db, now: Date.now }),
    members: openMembers({ db, now: Date.now }),
    auditLog: openAuditLog({ db, now: Date.now }),
    watch: openWatch({ db, now: Date.now }),
    shares: openShares({ db, now: Date.now, secrets: config.secrets.map((secret) => secret.reveal()) }),
    webhooks: { wakingAll },
    people: openPeopleForOperator(pool),
    sessions: openSessions(pool),
    publicUrl: publicUrlOf(config),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** Yields the lines that the command prints. */
async function* run(
  { command, values }: ReturnType<typeof parse>,
  ctx: Awaited<ReturnType<typeof openTools>>,
): AsyncGenerator<string> {
  const { accounts, keys } = ctx
  const account = () => idOf(values.account, '--account') as AccountId
  const key = () => idOf(values.key, '--key') as KeyId
  switch (command) {
    case 'list-accounts': {
      let page
      let before: AccountId | undefined
      do {
        page = await accounts.listTotals({ limit: ACCOUNTS_AT_ONCE, ...(before ? { before } : {}) })
        const shown = page.slice(0, ACCOUNTS_AT_ONCE)
        for (const row of shown) yield JSON.stringify(row)
        before = shown.at(-1)?.id
      } while (page.length > ACCOUNTS_AT_ONCE)
      return
    }
    case 'create-account': {
      const historyDays = numberOf(values['history-days'], '--history-days', 0, DAYS_MAX)
      yield await accounts.create({
        name: textOf(values.name, '--name'),
        ...(values.language === undefined ? {} : { language: languageOf(values.language) }),
        ...(historyDays === undefined ? {} : { historyDays }),
      })
      return
    }
    case 'invite': {
      const wish = { email: emailOf(values.email), role: roleOf(values.role) }
      const { link } = await inviteByOperator(ctx, account(), wish).catch(asRefusal)
      yield link
      return
    }
    case 'create-key': {
      const perMinute = numberOf(values['per-minute'], '--per-minute', 1, RATE_MAX) ?? 600
      const allowedOrigins = values.origins?.split(',').map(originOf) ?? []
      const spec = {
        name: textOf(values.name, '--name'),
        scopes: scopesOf(values.scopes, allowedOrigins.length > 0 ? PUBLISHABLE_SCOPES : SCOPES),
        quota: {
          perMinute,
          burst: numberOf(values.burst, '--burst', 1, RATE_MAX) ?? Math.max(1, Math.ceil(perMinute / 10)),
          perDay: numberOf(values['per-day'], '--per-day') ?? null,
          perMonth: numberOf(values['per-month'], '--per-month') ?? null,
        },
        allowedIps: values['allow-ips']?.split(',').map(rangeOf) ?? [],
        allowedOrigins,
        ...(values.expires === undefined ? {} : { expiresAt: expiryOf(values.expires, Date.now()) }),
      }
      const made = await keys.create(account(), spec).catch(asNoAccount)
      yield `${made.id}\n${made.secret}`
      return
    }
    case 'list-keys':
      for (const row of await keys.list(account())) yield JSON.stringify(row)
      return
    case 'rotate-key': {
      const rotated = await keys.rotate(account(), key(), numberOf(values['grace-seconds'], '--grace-seconds') ?? 0)
      if (!rotated) throw new UsageError('The account has no such key, or the key is revoked.')
      yield rotated.secret
      return
    }
    case 'revoke-key':
      if (!(await keys.revoke(account(), key())))
        throw new UsageError('The account has no such key, or the key is revoked.')
      yield 'revoked'
      return
    case 'end-sessions':
      yield `sessions ended: ${await ctx.sessions.endSessionsOf(textOf(values.email, '--email'))}`
      return
    case 'remove-second-factor': {
      const email = emailOf(values.email)
      const outcome = await removeSecondFactor(ctx, email)
      if (outcome === 'nobody') throw new UsageError(`No user signs in with ${email}.`)
      yield outcome === 'removed' ? 'removed' : 'not enabled'
      return
    }
    case 'limit': {
      const change = limitsOf(values)
      const isChange = Object.values(change).some((limit) => limit !== undefined)
      if (!isChange && !(await accounts.find(account()))) throw new UsageError('There is no such account.')
      const standing = isChange ? await changeLimits(ctx, account(), change) : await accounts.standingOf(account())
      yield JSON.stringify(rowOf(known(standing).plan))
      return
    }
    case 'suspend':
      known(await suspendAccount(ctx, account(), values.reason?.trim() || null))
      yield 'suspended'
      return
    case 'resume':
      known(await resumeAccount(ctx, account()))
      yield 'resumed'
      return
    case 'end-shared-list': {
      const link = textOf(values.link, '--link')
      const list = await ctx.shares.parseToken(link.slice(link.lastIndexOf('/') + 1)).catch(asNoList)
      if (!(await ctx.shares.remove(list.account, list.id))) throw new UsageError(NO_LIST)
      yield 'ended'
      return
    }
    case 'operator':
      if (!(await accounts.makeOperator(account()))) throw new UsageError('There is no such account.')
      yield 'operator'
  }
}

function known(standing: Standing | undefined): Standing {
  if (!standing) throw new UsageError('There is no such account.')
  return standing
}

function asNoAccount(error: unknown): never {
  throw isViolationOf(error, 'api_key_account_id_fkey') ? new UsageError('There is no such account.') : error
}

const NO_LIST = 'There is no such shared list.'

function asNoList(error: unknown): never {
  throw error instanceof ApiError && error.code === 'not_found' ? new UsageError(NO_LIST) : error
}

const REFUSALS: Readonly<Record<string, string>> = {
  not_found: 'There is no such account.',
  already_member: 'This person is already a member of the account. An owner can change roles in the app, under Team.',
  own_account:
    'This is a personal account, which cannot have other members. Create another account: admin create-account',
}

function asRefusal(error: unknown): never {
  const refusal = error instanceof ApiError ? REFUSALS[error.code] : undefined
  throw refusal === undefined ? error : new UsageError(refusal)
}
