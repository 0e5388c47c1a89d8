/**
 * Sends emails to people: to confirm an address, to reset a password, to invite, to report a change.
 *
 * `send` returns at once and cannot fail, so that neither the time nor the outcome of a response reveals whether an
 * address is registered. An email then waits a moment, is composed and handed to the mail server, and is retried a few
 * times when the server cannot accept it. Emails wait in memory only: a node that stops loses its unsent emails, and
 * the person requests a new one.
 *
 * Never: logs an address, a link or a text. For a failure it logs the kind of email and the mail server's codes,
 * without the server's text, because servers quote the recipient.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import type { Secret } from '../../model/secret.ts'
import { faultOf } from './fault.ts'
import type { MailFault } from './fault.ts'
import { createComposer, readMailTexts } from './email.ts'
import type { Email } from './email.ts'

export type { Email } from './email.ts'

export type MailOutcome = 'sent' | 'failed' | 'dropped'

export interface Mail {
  /** False when no mail server is configured; `send` then does nothing. */
  readonly isOn: boolean
  send(email: Email): void
  /** One try, for a caller that keeps the email until it is delivered or refused for good. */
  deliver(email: Email): Promise<'sent' | 'refused' | 'refused_for_now'>
  /** Number of emails by outcome since the start. */
  outcomes(): ReadonlyMap<MailOutcome, number>
  /** Waits a few seconds for emails in progress; the rest is lost. */
  close(): Promise<void>
}

export interface MailOptions {
  readonly url: Secret | undefined
  readonly from: string | undefined
  readonly log: Pick<Logger, 'warn'>
  readonly now?: () => number
  /** Certificates (PEM) to trust in addition to the default ones. */
  readonly ca?: string
  /** Overrides the default pauses, which are too long for tests. */
  readonly pauses?: Partial<Pauses>
}

export interface Pauses {
  readonly startMs: number
  readonly retryMs: readonly number[]
  readonly closeMs: number
}

const PAUSES: Pauses = {
  // By then the related response is on its way, and composing the email does not delay it.
  startMs: 100,
  // Covers a broken connection, a restarting server, and greylisting for a minute.
  retryMs: [1_000, 10_000, 60_000],
  closeMs: 5_000,
}
// A few megabytes. More at once means an attack or a mail server that is down; these emails would arrive too late
// anyway.
const MAX_WAITING = 1_000
const QUIET_MS = 60_000

export async function openMail({ url, from, log, now = Date.now, ca, pauses }: MailOptions): Promise<Mail> {
  if (url === undefined || from === undefined) return OFF
  const compose = createComposer(readMailTexts(), from)
  const { openSmtp } = await import('./smtp.ts')
  const smtp = openSmtp({ url: url.reveal(), from, ...(ca === undefined ? {} : { ca }) })
  const { startMs, retryMs, closeMs } = { ...PAUSES, ...pauses }
  const counts = new Map<MailOutcome, number>([
    ['sent', 0],
    ['failed', 0],
    ['dropped', 0],
  ])
  const count = (outcome: MailOutcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()
  let quietUntil = -Infinity
  let unsaid = 0

  /** Closing ends the pause early: whatever is refused for now is tried once more at once. */
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => {})

  async function deliverLater(email: Email): Promise<void> {
    await pause(startMs)
    await sendAndCount(email, retryMs)
  }

  async function sendAndCount(email: Email, pausesMs: readonly number[]): Promise<MailFault | undefined> {
    const fault = await handOver(email, pausesMs).catch((error: unknown) => ({ ...faultOf(error), tries: 0 }))
    count(fault ? 'failed' : 'sent')
    if (fault) log.warn({ email: email.kind, ...fault }, 'email could not be sent')
    return fault
  }

  /** Undefined when the mail server accepted it. */
  async function handOver(
    email: Email,
    pausesMs: readonly number[],
  ): Promise<(MailFault & { tries: number }) | undefined> {
    const message = compose(email)
    for (let tries = 1; ; tries++) {
      const isLast = closing.signal.aborted
      const fault = await smtp.sendMail(message).then(() => undefined, faultOf)
      if (!fault) return undefined
      const pauseMs = pausesMs[tries - 1]
      if (fault.isFinal || pauseMs === undefined || isLast) return { ...fault, tries }
      await pause(pauseMs)
    }
  }

  function drop(): void {
    count('dropped')
    unsaid++
    if (now() < quietUntil) return
    log.warn({ emails: unsaid, waiting: underWay.size }, 'emails dropped: the queue is full')
    quietUntil = now() + QUIET_MS
    unsaid = 0
  }

  return {
    isOn: true,

    send(email) {
      if (underWay.size >= MAX_WAITING || closing.signal.aborted) return drop()
      const delivery = deliverLater(email).finally(() => underWay.delete(delivery))
      underWay.add(delivery)
    },

    async deliver(email) {
      const fault = await sendAndCount(email, [])
      if (!fault) return 'sent'
      return fault.isFinal ? 'refused' : 'refused_for_now'
    },

    outcomes: () => counts,

    async close() {
      closing.abort()
      const all = Promise.all(underWay)
      await Promise.race([all, sleep(closeMs, undefined, { ref: false })])
      // Sends still in progress fail with this.
      smtp.close({ force: true })
      await all
    },
  }
}

const OFF: Mail = {
  isOn: false,
  send() {},
  deliver: async () => 'refused_for_now',
  outcomes: () => new Map(),
  close: async () => {},
}
