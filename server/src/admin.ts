/**
 * The operator's command: accounts and keys from a terminal. There is no default account, key or password; the
 * first ones are made here. A key's text is printed once, by the call that makes it, and cannot be had again.
 */
import { parseArgs } from 'node:util'
import { openAccounts } from './accounts/accounts.ts'
import { isAddressRange } from './config/parse.ts'
import type { Config } from './config/config.ts'
import { isViolationOf, openDb } from './db/db.ts'
import { openPeoplePool } from './db/people-pool.ts'
import { openKeys } from './keys/keys.ts'
import { isOriginPattern } from './keys/origins.ts'
import { PUBLISHABLE_SCOPES, SCOPES } from './model/caller.ts'
import type { AccountId, KeyId, Scope } from './model/caller.ts'
import { isUuid } from './model/id.ts'
import { openSessions } from './people/sessions.ts'

const USAGE = `namewright-server admin create-account --name NAME [--language TAG] [--history-days N]
namewright-server admin create-key --account ID --name NAME [--scopes a,b] [--per-minute N] [--burst N]
                                   [--per-day N] [--per-month N] [--expires ISO-DATE] [--allow-ips CIDR,…]
                                   [--origins ORIGIN,…]
namewright-server admin list-keys --account ID
namewright-server admin rotate-key --account ID --key ID [--grace-seconds N]
namewright-server admin revoke-key --account ID --key ID
namewright-server admin end-sessions --email ADDRESS
namewright-server admin operator --account ID      its owners and admins see how the installation is
A key has every scope unless --scopes names some: ${SCOPES.join(' ')}
With --origins it is publishable: for web pages of those origins, with ${PUBLISHABLE_SCOPES.join(' and ')} at most`

interface Streams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

class UsageError extends Error {}

// A hundred years; beyond the calendar's end no date can be written.
const DAYS_MAX = 36_500
const RATE_MAX = 1_000_000_000

export async function runAdmin(args: readonly string[], config: Config, { stdout, stderr }: Streams): Promise<number> {
  const db = openDb({ url: config.database.url.reveal(), poolSize: 1 })
  const keys = openKeys({ db, now: Date.now })
  const people = openPeoplePool({ url: config.database.url.reveal() })
  try {
    stdout.write(
      `${await run(args, { accounts: openAccounts({ db, now: Date.now }), keys, sessions: openSessions(people) })}\n`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof UsageError) && !isParseArgsError(error)) throw error
    stderr.write(`${error instanceof Error ? error.message : ''}\n${USAGE}\n`)
    return 2
  } finally {
    keys.close()
    await Promise.all([db.close(), people.close()])
  }
}

type Tools = {
  accounts: ReturnType<typeof openAccounts>
  keys: ReturnType<typeof openKeys>
  sessions: ReturnType<typeof openSessions>
}

async function run(
  [command = 'help', ...args]: readonly string[],
  { accounts, keys, sessions }: Tools,
): Promise<string> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const account = () => idOf(values.account, '--account') as AccountId
  const key = () => idOf(values.key, '--key') as KeyId
  switch (command) {
    case 'help':
      return USAGE
    case 'create-account': {
      const historyDays = numberOf(values['history-days'], '--history-days', 0, DAYS_MAX)
      return accounts.create({
        name: textOf(values.name, '--name'),
        ...(values.language === undefined ? {} : { language: languageOf(values.language) }),
        ...(historyDays === undefined ? {} : { historyDays }),
      })
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
        ...(values.expires === undefined ? {} : { expiresAt: dateOf(values.expires) }),
      }
      const made = await keys.create(account(), spec).catch(asNoAccount)
      return `${made.id}\n${made.secret}`
    }
    case 'list-keys': {
      const rows = await keys.list(account())
      return rows.map((row) => JSON.stringify(row)).join('\n')
    }
    case 'rotate-key': {
      const rotated = await keys.rotate(account(), key(), numberOf(values['grace-seconds'], '--grace-seconds') ?? 0)
      if (!rotated) throw new UsageError('That account has no such key, or it is revoked.')
      return rotated.secret
    }
    case 'revoke-key':
      if (!(await keys.revoke(account(), key())))
        throw new UsageError('That account has no such key, or it is revoked.')
      return 'revoked'
    case 'end-sessions':
      return `ended ${await sessions.endSessionsOf(textOf(values.email, '--email'))}`
    case 'operator':
      if (!(await accounts.makeOperator(account()))) throw new UsageError('There is no such account.')
      return 'operator'
    default:
      throw new UsageError(`There is no command admin ${command}.`)
  }
}

const OPTIONS = {
  name: { type: 'string' },
  language: { type: 'string' },
  'history-days': { type: 'string' },
  account: { type: 'string' },
  key: { type: 'string' },
  email: { type: 'string' },
  scopes: { type: 'string' },
  'per-minute': { type: 'string' },
  burst: { type: 'string' },
  'per-day': { type: 'string' },
  'per-month': { type: 'string' },
  expires: { type: 'string' },
  'allow-ips': { type: 'string' },
  origins: { type: 'string' },
  'grace-seconds': { type: 'string' },
} as const

function textOf(value: string | undefined, option: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is missing.`)
  return value
}

function idOf(value: string | undefined, option: string): string {
  if (!isUuid(textOf(value, option))) throw new UsageError(`${option} must be an id such as 0198d2c4-….`)
  return value ?? ''
}

function numberOf(value: string | undefined, option: string, least = 0, most = 1e12): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,13}$/.test(value) || +value < least || +value > most)
    throw new UsageError(`${option} must be a whole number from ${least} to ${most}.`)
  return Number(value)
}

function languageOf(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    throw new UsageError('--language must be a tag such as de or pt-BR.')
  }
}

function rangeOf(text: string): string {
  if (!isAddressRange(text.trim())) throw new UsageError(`--allow-ips: ${text} is no address and no CIDR range.`)
  return text.trim()
}

function originOf(text: string): string {
  if (isOriginPattern(text.trim())) return text.trim()
  throw new UsageError(`--origins: ${text} is no origin such as https://shop.example or https://*.shop.example.`)
}

function asNoAccount(error: unknown): never {
  throw isViolationOf(error, 'api_key_account_id_fkey') ? new UsageError('There is no such account.') : error
}

function dateOf(value: string): Date {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) throw new UsageError('--expires must be a date such as 2027-01-31.')
  return date
}

function scopesOf(list: string | undefined, allowed: readonly Scope[]): readonly Scope[] {
  if (list === undefined) return allowed
  return list.split(',').map((name) => {
    const scope = SCOPES.find((one) => one === name.trim())
    if (scope === undefined) throw new UsageError(`There is no scope ${name}.`)
    if (!allowed.includes(scope)) throw new UsageError(`With --origins a key cannot have the scope ${scope}.`)
    return scope
  })
}

function isParseArgsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
