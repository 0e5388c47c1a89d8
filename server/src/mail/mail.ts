/**
 * Letters to people: to confirm an address, to set a new password, to invite, to tell of a change.
 *
 * `send` returns at once and cannot fail, so that neither the time nor the outcome of an answer tells whether an
 * address is known here. A letter then waits for a moment, is written, handed over, and tried again a few times when
 * the mail server cannot take it now. Letters wait in memory only: what a node has not sent when it ends is lost, and
 * the person asks again.
 *
 * Never: logs an address, a link or a text. Of a failure it says the kind of letter and the mail server's codes; what
 * the server said in words is left out, because servers quote the recipient.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import type { Secret } from '../model/secret.ts'
import { faultOf } from './fault.ts'
import type { Fault } from './fault.ts'
import { createComposer, readMailTexts } from './letter.ts'
import type { Letter } from './letter.ts'
import { openSmtp } from './smtp.ts'

export type { Letter } from './letter.ts'

export type MailOutcome = 'sent' | 'failed' | 'dropped'

export interface Mail {
  /** False when the operator has named no mail server; `send` then does nothing. */
  readonly isOn: boolean
  send(letter: Letter): void
  /** How many letters came to which end since the start. */
  outcomes(): ReadonlyMap<MailOutcome, number>
  /** Waits a few seconds for what is under way; what is left then is lost. */
  close(): Promise<void>
}

export interface MailOptions {
  readonly url: Secret | undefined
  readonly from: string | undefined
  readonly log: Pick<Logger, 'warn'>
  readonly now?: () => number
  /** Certificates (PEM) to trust besides the usual ones. */
  readonly ca?: string
  /** How long it waits, where the defaults are too long to be waited for: in tests. */
  readonly pauses?: Partial<Pauses>
}

export interface Pauses {
  readonly startMs: number
  readonly retryMs: readonly number[]
  readonly closeMs: number
}

const PAUSES: Pauses = {
  // By then the answer that the letter belongs to is on its way, and is not slowed down by the writing of it.
  startMs: 100,
  // A connection that broke, a server that restarts, one that asks strangers to come back in a minute.
  retryMs: [1_000, 10_000, 60_000],
  closeMs: 5_000,
}
// Some megabytes. More at a time is an attack, or a mail server that is down, and either way they would come too late.
const MOST_LETTERS = 1_000
const QUIET_MS = 60_000

export async function openMail({ url, from, log, now = Date.now, ca, pauses }: MailOptions): Promise<Mail> {
  if (url === undefined || from === undefined) return OFF
  const compose = createComposer(await readMailTexts(), from)
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

  /** Cut short by closing: whoever waits to try again tries once more, now. */
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => {})

  async function deliver(letter: Letter): Promise<void> {
    await pause(startMs)
    const fault = await handOver(letter).catch((error: unknown) => ({ ...faultOf(error), tries: 0 }))
    count(fault ? 'failed' : 'sent')
    if (fault) log.warn({ letter: letter.kind, ...fault }, 'a letter could not be sent')
  }

  /** Undefined when the mail server has taken it. */
  async function handOver(letter: Letter): Promise<(Fault & { tries: number }) | undefined> {
    const message = compose(letter)
    for (let tries = 1; ; tries++) {
      const fault = await smtp.sendMail(message).then(() => undefined, faultOf)
      if (!fault) return undefined
      const pauseMs = retryMs[tries - 1]
      if (fault.isFinal || pauseMs === undefined || closing.signal.aborted) return { ...fault, tries }
      await pause(pauseMs)
    }
  }

  function drop(): void {
    count('dropped')
    unsaid++
    if (now() < quietUntil) return
    log.warn({ letters: unsaid, waiting: underWay.size }, 'letters were dropped: too many are waiting')
    quietUntil = now() + QUIET_MS
    unsaid = 0
  }

  return {
    isOn: true,

    send(letter) {
      if (underWay.size >= MOST_LETTERS || closing.signal.aborted) return drop()
      const delivery = deliver(letter).finally(() => underWay.delete(delivery))
      underWay.add(delivery)
    },

    outcomes: () => counts,

    async close() {
      closing.abort()
      const all = Promise.all(underWay)
      await Promise.race([all, sleep(closeMs, undefined, { ref: false })])
      // What is still on a connection fails by this.
      smtp.close({ force: true })
      await all
    },
  }
}

const OFF: Mail = {
  isOn: false,
  send() {},
  outcomes: () => new Map(),
  close: async () => {},
}
