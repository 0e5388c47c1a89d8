/** Accounts and who is in them. */
import { queryOptions } from '@tanstack/react-query'
import type { Account, Role } from './session.ts'
import { askSettings } from './settings.ts'

export interface AccountSettings extends Account {
  /** Null is for ever, 0 is not at all. */
  readonly history_days: number | null
  /** Whether the signed-in member gets emails about changes of watched domains. */
  readonly change_emails: boolean
  readonly created_at: string
}

export interface AccountChange {
  readonly name?: string
  readonly currency?: string | null
  readonly history_days?: number | null
}

export interface Member {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly role: Role
  readonly joined_at: string
}

export type InvitedRole = Exclude<Role, 'owner'>

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: InvitedRole
  readonly expires_at: string
}

const at = (account: string) => `/settings/accounts/${account}` as const

export const accountQuery = (account: string) =>
  queryOptions({
    queryKey: ['account', account],
    queryFn: async ({ signal }) => (await askSettings<{ account: AccountSettings }>(at(account), { signal })).account,
  })

export const changeAccount = async (account: string, change: AccountChange) =>
  (await askSettings<{ account: AccountSettings }>(at(account), { method: 'PATCH', body: change })).account

export const switchChangeEmails = async (account: string, isOn: boolean) =>
  (
    await askSettings<{ account: AccountSettings }>(`${at(account)}/change-emails`, {
      method: 'PUT',
      body: { is_on: isOn },
    })
  ).account

export const createAccount = async (name: string) =>
  (await askSettings<{ account: AccountSettings }>('/settings/accounts', { method: 'POST', body: { name } })).account

export const deleteAccount = (account: string) => askSettings(at(account), { method: 'DELETE' })

export const changeMe = (change: { readonly name?: string; readonly language?: string | null }) =>
  askSettings('/settings/me', { method: 'PATCH', body: change })

/** Sends a link to the new address; the answer is the same for one that belongs to somebody. */
export const requestEmail = (email: string) => askSettings('/settings/me/email', { method: 'POST', body: { email } })

export const membersQuery = (account: string) =>
  queryOptions({
    queryKey: ['members', account],
    queryFn: async ({ signal }) =>
      (await askSettings<{ members: readonly Member[] }>(`${at(account)}/members`, { signal })).members,
  })

export const changeRole = (account: string, member: string, role: Role) =>
  askSettings(`${at(account)}/members/${member}`, { method: 'PATCH', body: { role } })

export const removeMember = (account: string, member: string) =>
  askSettings(`${at(account)}/members/${member}`, { method: 'DELETE' })

export const invitationsQuery = (account: string) =>
  queryOptions({
    queryKey: ['invitations', account],
    queryFn: async ({ signal }) =>
      (await askSettings<{ invitations: readonly Invitation[] }>(`${at(account)}/invitations`, { signal })).invitations,
  })

/** `link` only where the service sends no email. */
export const invite = async (account: string, wish: { readonly email: string; readonly role: InvitedRole }) =>
  (
    await askSettings<{ invitation: Invitation & { readonly link?: string } }>(`${at(account)}/invitations`, {
      method: 'POST',
      body: wish,
    })
  ).invitation

export const withdrawInvitation = (account: string, id: string) =>
  askSettings(`${at(account)}/invitations/${id}`, { method: 'DELETE' })
