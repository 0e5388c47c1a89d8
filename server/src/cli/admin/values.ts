/** Parses the option values of `namewright-server admin`. Each function throws UsageError, which names the option. */
import type { PlanChange } from '../../features/accounts/index.ts'
import { UsageError } from '../command-line.ts'
import { isAddressRange } from '../../platform/config/parse.ts'
import { isOriginPattern } from '../../features/keys/index.ts'
import { SCOPES, type Scope } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import { ROLES, type Role } from '../../model/member.ts'
import { PLAN_COLUMNS } from '../../model/plan.ts'

export function textOf(value: string | undefined, option: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is missing.`)
  return value
}

export function idOf(value: string | undefined, option: string): string {
  if (!isUuid(textOf(value, option))) throw new UsageError(`${option} must be an id such as 0198d2c4-….`)
  return value ?? ''
}

export function numberOf(value: string | undefined, option: string, least = 0, most = 1e12): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,13}$/.test(value) || +value < least || +value > most)
    throw new UsageError(`${option} must be a whole number from ${least} to ${most}.`)
  return Number(value)
}

export function emailOf(value: string | undefined): string {
  const email = textOf(value, '--email').trim()
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw new UsageError('--email must be an email address such as name@example.com.')
  return email
}

export function roleOf(value: string | undefined): Role {
  const role = ROLES.find((one) => one === textOf(value, '--role'))
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}.`)
  return role
}

export function limitsOf(values: Readonly<Record<string, string | undefined>>): PlanChange {
  const limits = PLAN_COLUMNS.map((column) => {
    const option = column.replaceAll('_', '-')
    const value = values[option]
    if (value === 'unlimited') return [column, null]
    return [column, numberOf(value, `--${option}`, column === 'requests_per_minute' ? 1 : 0)]
  })
  return Object.fromEntries(limits) as PlanChange
}

export function languageOf(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    throw new UsageError('--language must be a tag such as de or pt-BR.')
  }
}

export function rangeOf(text: string): string {
  if (!isAddressRange(text.trim())) throw new UsageError(`--allow-ips: ${text} is not an IP address or a CIDR range.`)
  return text.trim()
}

export function originOf(text: string): string {
  if (isOriginPattern(text.trim())) return text.trim()
  throw new UsageError(`--origins: ${text} is not an origin such as https://shop.example or https://*.shop.example.`)
}

export function expiryOf(value: string, now: number): Date {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) throw new UsageError('--expires must be a date such as 2027-01-31.')
  if (date.getTime() <= now) {
    throw new UsageError(
      `--expires must be in the future; ${value} is in the past. To revoke a key now, use admin revoke-key.`,
    )
  }
  return date
}

export function scopesOf(list: string | undefined, allowed: readonly Scope[]): readonly Scope[] {
  if (list === undefined) return allowed
  return list.split(',').map((name) => {
    const scope = SCOPES.find((one) => one === name.trim())
    if (scope === undefined) throw new UsageError(`There is no scope ${name}.`)
    if (!allowed.includes(scope)) throw new UsageError(`With --origins a key cannot have the scope ${scope}.`)
    return scope
  })
}
