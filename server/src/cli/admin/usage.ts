/** The commands of `namewright-server admin`: what each does, and which options it has. */
import type { CommandOptions } from '../command-line.ts'
import { PUBLISHABLE_SCOPES, SCOPES } from '../../model/caller.ts'
import { ROLES } from '../../model/member.ts'

interface CommandUsage {
  readonly about: string
  /** As it is typed, without `namewright-server admin`. */
  readonly line: string
  /** Additional text for `--help` of this command. */
  readonly more?: string
  readonly options: CommandOptions
}

const text = { type: 'string' } as const

export const USAGES = {
  'list-accounts': {
    about: 'list every account: id, name, members, keys and usage',
    line: 'list-accounts',
    options: {},
  },
  'create-account': {
    about: 'create an account and print its id',
    line: 'create-account --name NAME [--language TAG] [--history-days N]',
    more: `If there are no users yet, the first user becomes the owner of this account, through the
setup link that the service prints when it starts. To give any other account an owner, use: admin invite`,
    options: { name: text, language: text, 'history-days': text },
  },
  invite: {
    about: 'invite a person to an account and print the link',
    line: 'invite --account ID --email ADDRESS --role ROLE',
    more: `ROLE is ${ROLES.join(', ')}. The link works once, for seven days, and only for that address. It is also sent by
email if NAMEWRIGHT_SMTP_URL is set.`,
    options: { account: text, email: text, role: text },
  },
  'create-key': {
    about: 'create an API key and print its id and the key; the key is shown only once',
    line: `create-key --account ID --name NAME [--scopes a,b] [--per-minute N] [--burst N] [--per-day N]
           [--per-month N] [--expires ISO-DATE] [--allow-ips CIDR,…] [--origins ORIGIN,…]`,
    more: `A key has every scope unless you set --scopes: ${SCOPES.join(' ')}
With --origins the key is publishable: it works on web pages of those origins, with ${PUBLISHABLE_SCOPES.join(' and ')} at most.
--expires is in the future, as 2027-01-31 or 2027-01-31T12:00:00Z.`,
    options: {
      account: text,
      name: text,
      scopes: text,
      'per-minute': text,
      burst: text,
      'per-day': text,
      'per-month': text,
      expires: text,
      'allow-ips': text,
      origins: text,
    },
  },
  'list-keys': {
    about: 'list the keys of an account, one JSON object per line',
    line: 'list-keys --account ID',
    options: { account: text },
  },
  'rotate-key': {
    about: 'rotate a key and print the new one, only once',
    line: 'rotate-key --account ID --key ID [--grace-seconds N]',
    more: 'The old key stays valid for --grace-seconds, 0 by default.',
    options: { account: text, key: text, 'grace-seconds': text },
  },
  'revoke-key': {
    about: 'revoke a key immediately',
    line: 'revoke-key --account ID --key ID',
    options: { account: text, key: text },
  },
  'end-sessions': {
    about: 'sign a person out everywhere',
    line: 'end-sessions --email ADDRESS',
    options: { email: text },
  },
  'remove-second-factor': {
    about: 'turn off two-factor authentication for a user who lost the device and the recovery codes',
    line: 'remove-second-factor --email ADDRESS',
    more: `Verify the identity of the user first. The security events of the account record that the operator did it, and the user gets an
email if NAMEWRIGHT_SMTP_URL is set. Passkeys and sessions stay.`,
    options: { email: text },
  },
  limit: {
    about: 'change the limits of an account, or print them',
    line: `limit --account ID [--names-per-day N] [--names-per-month N] [--requests-per-minute N]
      [--checks-per-day N] [--keys N] [--webhooks N] [--applications N] [--running-batches N] [--open-streams N]
      [--history-bytes N] [--batch-bytes N] [--answer-bytes N] [--favorites N]`,
    more: 'N is a number or "unlimited". Without options, it prints the current limits.',
    options: {
      account: text,
      'names-per-day': text,
      'names-per-month': text,
      'requests-per-minute': text,
      'checks-per-day': text,
      keys: text,
      webhooks: text,
      applications: text,
      'running-batches': text,
      'open-streams': text,
      'history-bytes': text,
      'batch-bytes': text,
      'answer-bytes': text,
      favorites: text,
    },
  },
  suspend: {
    about: 'suspend an account: all its credentials are rejected, and its members see the reason',
    line: 'suspend --account ID [--reason TEXT]',
    options: { account: text, reason: text },
  },
  resume: { about: 'end a suspension', line: 'resume --account ID', options: { account: text } },
  'end-shared-list': {
    about: 'delete a shared list, whoever shared it; its link ends',
    line: 'end-shared-list --link URL',
    options: { link: text },
  },
  operator: {
    about: 'let the owners and admins of this account see the operator page',
    line: 'operator --account ID',
    options: { account: text },
  },
} as const satisfies Record<string, CommandUsage>

export type AdminCommand = keyof typeof USAGES

export function isAdminCommand(word: string): word is AdminCommand {
  return Object.hasOwn(USAGES, word)
}

/** Usage of one command, or of all of them. */
export function usageOf([word = '']: readonly string[]): string {
  if (isAdminCommand(word)) {
    const usage: CommandUsage = USAGES[word]
    return [`namewright-server admin ${usage.line}`, usage.about, ...(usage.more ? [usage.more] : [])].join('\n')
  }
  const lines = Object.entries(USAGES).map(([name, { about }]) => `namewright-server admin ${name.padEnd(22)}${about}`)
  return [...lines, 'Options of a command: namewright-server admin COMMAND --help'].join('\n')
}
