/** What `adapters.test.ts` knows of a registrar's API: one file each in `fixtures/`, with texts as its documentation has them. */
import type { Claim, Registrar, Send } from '../source.ts'

export interface RegistrarFixture {
  readonly create: (send: Send, now: () => number) => Registrar
  /** The request about `DOMAIN`. */
  readonly request: { readonly method: string; readonly url: string; readonly headers: object; readonly body?: string }
  /** The response that has these rows. */
  readonly respond: (...rows: readonly object[]) => string
  /** A row that says of `DOMAIN` that it is available at the standard price. */
  readonly offer: object
  /** Rows about `DOMAIN`, and what each says of it; undefined: nothing. */
  readonly rows: readonly (readonly [what: string, row: object, says: Said | undefined])[]
  /** Responses that say nothing, although their rows offer `DOMAIN`. */
  readonly refusals?: Readonly<Record<string, string>>
}

type Said = Pick<Claim, 'says' | 'price'>

export const DOMAIN = 'mayfly.com'
export const usd = (minor: number) => ({ minor, currency: 'USD' as const })
