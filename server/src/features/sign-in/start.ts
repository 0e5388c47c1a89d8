/**
 * Starts Better Auth on first use, and again on the next use when that failed. Loading it takes a second and 100 MB. At
 * its start it reads the database and queries the operator's providers. A node that only serves API keys needs none of
 * that and must start without it.
 *
 * An unreachable provider must not block other ways to sign in: it is left out after a few seconds at most, and retried
 * in the background until it responds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Provider } from '../../platform/config/parse.ts'
import { asUnavailable } from '../../platform/db/db.ts'
import type { Auth, AuthOptions } from './auth.ts'

export interface Started {
  readonly auth: Auth
  readonly context: Awaited<Auth['$context']>
  readonly encrypt: (text: string) => Promise<string>
  /** Every provider's discovery succeeded. */
  readonly isWhole: boolean
}

// One small document: a longer wait would delay every sign-in.
const PATIENCE_MS = 3_000
// A restarting provider is back soon; one that stays unreachable is retried ever less often.
const FIRST_PAUSE_MS = 10_000
const MAX_PAUSE_MS = 300_000

export function createStart(options: AuthOptions): () => Promise<Started> {
  let started: Promise<Started> | undefined
  let isWhole = true
  let askedAt = 0
  let pauseMs = FIRST_PAUSE_MS

  /**
   * Better Auth queries the providers one after the other, so one that does not respond hides the others; then each is
   * tried separately.
   */
  async function startInTime(): Promise<Started> {
    askedAt = options.now()
    const { createAuth, encrypted, requiringIdToken } = await import('./auth.ts')
    const startWith = async (providers: readonly Provider[]): Promise<Started> => {
      const auth = createAuth({ ...options, providers })
      const context = await auth.$context
      // A discovery document of another issuer would make us accept that issuer's tokens.
      const sound = context.socialProviders.filter((found) => isConfigured(found, providers))
      if (sound.length < context.socialProviders.length) {
        options.log.warn(
          { providers: sound.map(({ id }) => id) },
          'sign-in provider ignored: its issuer does not match the configuration',
        )
      }
      context.socialProviders.splice(0, Infinity, ...sound.map(requiringIdToken))
      const there = new Set(sound.map(({ id }) => id))
      return {
        auth,
        context,
        encrypt: (text) => encrypted(text, options.secrets),
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
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
      use(startInTime()).then(
        (fresh) => (started = Promise.resolve(fresh)),
        (error: unknown) => options.log.warn({ err: error }, 'sign-in providers could not be loaded, retrying'),
      )
    }
    return started
  }
}

/** OpenID Connect Discovery §4.3: the issuer found "MUST be identical" to the configured one. */
function isConfigured(found: { id: string; issuer?: string | undefined }, providers: readonly Provider[]): boolean {
  const asked = providers.find(({ name }) => name === found.id)
  return found.issuer === undefined || found.issuer.replace(/\/$/, '') === asked?.issuer
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  // An error after the timeout has no other handler.
  work.catch(() => {})
  return Promise.race([work, sleep(PATIENCE_MS, undefined, { ref: false })])
}
