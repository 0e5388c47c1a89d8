/** Accounts and who is in them. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings, type Data } from './settings.ts'
import type { AccountChange, Operations, Role } from './settings-types.ts'

const at = (account: string) => `/settings/accounts/${account}` as const

export const accountQuery = (account: string) =>
  queryOptions({
    queryKey: ['account', account],
    queryFn: async ({ signal }) => (await askSettings<Data<'getAccount'>>(at(account), { signal })).account,
  })

export const changeAccount = async (account: string, change: AccountChange) =>
  (await askSettings<Data<'changeAccount'>>(at(account), { method: 'PATCH', body: change })).account

export const switchChangeEmails = async (account: string, isOn: boolean) =>
  (
    await askSettings<Data<'switchChangeEmails'>>(`${at(account)}/change-emails`, {
      method: 'PUT',
      body: { is_on: isOn },
    })
  ).account

export const createAccount = async (name: string) =>
  (await askSettings<Data<'createAccount'>>('/settings/accounts', { method: 'POST', body: { name } })).account

export const deleteAccount = (account: string) => askSettings(at(account), { method: 'DELETE' })

export const changeMe = (change: Operations['changeMe']['body']) =>
  askSettings('/settings/me', { method: 'PATCH', body: change })

/** Sends a link to the new address; the answer is the same for one that belongs to somebody. */
export const requestEmail = (email: string) => askSettings('/settings/me/email', { method: 'POST', body: { email } })

export const membersQuery = (account: string) =>
  queryOptions({
    queryKey: ['members', account],
    queryFn: async ({ signal }) =>
      (await askSettings<Data<'listMembers'>>(`${at(account)}/members`, { signal })).members,
  })

export const changeRole = (account: string, member: string, role: Role) =>
  askSettings(`${at(account)}/members/${member}`, { method: 'PATCH', body: { role } })

export const removeMember = (account: string, member: string) =>
  askSettings(`${at(account)}/members/${member}`, { method: 'DELETE' })

export const invitationsQuery = (account: string) =>
  queryOptions({
    queryKey: ['invitations', account],
    queryFn: async ({ signal }) =>
      (await askSettings<Data<'listInvitations'>>(`${at(account)}/invitations`, { signal })).invitations,
  })

/** `link` only where the service sends no email. */
export const invite = async (account: string, wish: Operations['invite']['body']) =>
  (
    await askSettings<Data<'invite'>>(`${at(account)}/invitations`, {
      method: 'POST',
      body: wish,
    })
  ).invitation

export const withdrawInvitation = (account: string, id: string) =>
  askSettings(`${at(account)}/invitations/${id}`, { method: 'DELETE' })
