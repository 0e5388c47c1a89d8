/**
 * Better Auth, started: by the first who needs it, and again by the next when that failed. Loading it takes a second
 * and 100 MB, and it reads the database and asks the operator's providers as it starts; a node that only serves keys
 * needs none of that, and must start without.
 *
 * A provider that is away keeps nobody from signing in otherwise: it is left out, at the latest after a few seconds,
 * and asked again a little later behind everybody's back until it is there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Provider } from '../config/parse.ts'
import { asUnavailable } from '../db/db.ts'
import type { Auth, AuthOptions } from './auth.ts'

export interface Started {
  readonly auth: Auth
  readonly context: Awaited<Auth['$context']>
  readonly encrypt: (text: string) => Promise<string>
  /** Every provider has said where it is. */
  readonly isWhole: boolean
}

// One small document: whoever needs longer for it would make every sign-in wait.
const PATIENCE_MS = 3_000
// One that restarts is back in a moment; one that is gone is asked ever more rarely.
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000

export function createStart(options: AuthOptions): () => Promise<Started> {
  let started: Promise<Started> | undefined
  let isWhole = true
  let askedAt = 0
  let pauseMs = FIRST_PAUSE_MS

  /** They are asked one after the other, so one that says nothing hides the others; then each is tried by itself. */
  async function startInTime(): Promise<Started> {
    askedAt = options.now()
    const { createAuth, symmetricEncrypt } = await import('./auth.ts')
    const startWith = async (providers: readonly Provider[]): Promise<Started> => {
      const auth = createAuth({ ...options, providers })
      const context = await auth.$context
      // A discovery document that speaks for another issuer would have us believe that one's tokens.
      const sound = context.socialProviders.filter((found) => isConfigured(found, providers))
      if (sound.length < context.socialProviders.length) {
        options.log.warn(
          { providers: sound.map(({ id }) => id) },
          'a sign-in provider names another issuer and is left out',
        )
        context.socialProviders.splice(0, Infinity, ...sound)
      }
      const there = new Set(sound.map(({ id }) => id))
      return {
        auth,
        context,
        encrypt: (data) => symmetricEncrypt({ key: context.secretConfig, data }),
        isWhole: options.providers.every(({ name }) => there.has(name)),
      }
    }
    const whole = await inTime(startWith(options.providers))
    if (whole) return whole
    const tried = await Promise.all(
      options.providers.map(async (provider) => ((await inTime(startWith([provider]))) ? provider : undefined)),
    )
    return startWith(tried.filter((provider) => provider !== undefined))
  }

  function use(start: Promise<Started>): Promise<Started> {
    return start.then((fresh) => {
      isWhole = fresh.isWhole
      return fresh
    })
  }

  return () => {
    started ??= use(startInTime()).catch((error: unknown) => {
      started = undefined
      throw asUnavailable(error)
    })
    if (!isWhole && options.now() - askedAt > pauseMs) {
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      use(startInTime()).then(
        (fresh) => (started = Promise.resolve(fresh)),
        (error: unknown) => options.log.warn({ err: error }, 'asking providers again'),
      )
    }
    return started
  }
}

/** OpenID Connect Discovery §4.3: the issuer found "MUST be identical" to the one that was asked. */
function isConfigured(found: { id: string; issuer?: string | undefined }, providers: readonly Provider[]): boolean {
  const asked = providers.find(({ name }) => name === found.id)
  return found.issuer === undefined || found.issuer.replace(/\/$/, '') === asked?.issuer
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  // What fails after its time has nobody left to tell.
  work.catch(() => {})
  return Promise.race([work, sleep(PATIENCE_MS, undefined, { ref: false })])
}
