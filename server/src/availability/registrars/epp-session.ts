/**
 * One EPP session with one registry: opened on first use, logged in, used for one command at a time, and reopened
 * after a loss.
 *
 * A response belongs to our command only if it repeats the command's `clTRID`. If it does not, or no response arrives
 * in time, the connection is closed: on a stream that is out of step, the next response would be about other names.
 */
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Secret } from '../../model/secret.ts'
import { FramesEnded, openFrames } from './epp-frames.ts'
import type { Frames } from './epp-frames.ts'
import { DOMAIN, FEE, findGreeting, findResponse, writeLogin, writeLogout } from './epp-messages.ts'
import type { Response } from './epp-messages.ts'

export interface EppSessionOptions {
  /** A TLS connection to the registry, with the operator's certificate, after the handshake. */
  readonly connect: () => Promise<Duplex>
  readonly clientId: string
  readonly password: Secret
  readonly now: () => number
}

export interface EppSession {
  /** Undefined if the registry could not be asked. */
  exchange(write: (clTrid: string, hasFees: boolean) => string, signal: AbortSignal): Promise<Response | undefined>
  close(): Promise<void>
}

interface Link {
  readonly frames: Frames
  readonly hasFees: boolean
}

// RFC 5734 sets no limit; a registry that needs longer for a check is too slow for callers.
const ANSWER_MS = 4_000
const GOODBYE_MS = 1_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000
// Registries lock accounts after a few wrong passwords, and a wrong password stays wrong.
const REFUSED_RETRY_MS = 5 * 60_000

export function openEppSession({ connect, clientId, password, now }: EppSessionOptions): EppSession {
  const sessionId = randomBytes(4).toString('hex')
  let commands = 0
  let link: Link | undefined
  let failures = 0
  let retryAt = 0
  let turn: Promise<unknown> = Promise.resolve()

  const nextTrid = () => `nw-${sessionId}-${++commands}`

  async function ask(frames: Frames, message: string, clTrid: string, timeoutMs: number): Promise<Response> {
    frames.send(message)
    const response = findResponse(await frames.receive(timeoutMs))
    if (response?.clTrid !== clTrid) {
      frames.close()
      throw new FramesEnded('the response belongs to another command')
    }
    // RFC 5730 §3: 2500 to 2502 mean that the server closes the connection.
    if (response.code >= 2500) frames.close()
    return response
  }

  async function logIn(frames: Frames): Promise<Link> {
    const greeting = findGreeting(await frames.receive(ANSWER_MS))
    if (greeting === undefined || !greeting.objects.has(DOMAIN))
      throw new FramesEnded('the server does not support domain objects')
    const withFees = greeting.extensions.has(FEE)
    const clTrid = nextTrid()
    const message = writeLogin({ clientId, password: password.reveal(), withFees, clTrid })
    const { code } = await ask(frames, message, clTrid, ANSWER_MS)
    if (code !== 1000) throw new LoginRefused()
    return { frames, hasFees: withFees }
  }

  async function findLink(): Promise<Link | undefined> {
    if (link?.frames.isOpen()) return link
    link = undefined
    if (now() < retryAt) return undefined
    let frames: Frames | undefined
    try {
      frames = await openFrames({ connect })
      link = await logIn(frames)
      failures = 0
    } catch (cause) {
      frames?.close()
      const pause = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS)
      failures += 1
      retryAt = now() + (cause instanceof LoginRefused ? REFUSED_RETRY_MS : pause)
    }
    return link
  }

  async function run(write: (clTrid: string, hasFees: boolean) => string, signal: AbortSignal) {
    if (signal.aborted) return undefined
    const current = await findLink()
    if (current === undefined || signal.aborted) return undefined
    const clTrid = nextTrid()
    try {
      return await ask(current.frames, write(clTrid, current.hasFees), clTrid, ANSWER_MS)
    } catch (cause) {
      if (cause instanceof FramesEnded) return undefined
      throw cause
    }
  }

  return {
    exchange(write, signal) {
      const mine = turn.then(() => run(write, signal))
      turn = mine.catch(() => {})
      return mine
    },
    async close() {
      await turn
      retryAt = Infinity
      if (!link?.frames.isOpen()) return
      const clTrid = nextTrid()
      // A courtesy only: the connection is closed whatever the response.
      await ask(link.frames, writeLogout(clTrid), clTrid, GOODBYE_MS).catch(() => {})
      link.frames.close()
    },
  }
}

class LoginRefused extends Error {}
