/**
 * What was asked for, as it stands in the address of the page: a link to a search is the search.
 *
 * Everything is short text or a number, so that an address can be read and typed; lists are parted by commas. What a link
 * gets wrong is left out, and never refused: who follows it has not written it.
 */
export const STYLES = [
  'real_word',
  'compound',
  'blend',
  'affix',
  'respelling',
  'foreign',
  'invented',
  'short_phrase',
  'domain_hack',
] as const
export type Style = (typeof STYLES)[number]

export const DESCRIPTION_MAX = 2_000
export const COUNT = 20
export const COUNT_MAX = 100
const SEED_MAX = 2_147_483_647
export const WORDS_MAX = 20

export interface Asked {
  /** The description. */
  readonly d?: string
  /** How many names. */
  readonly n?: number
  /** Suffixes and presets. */
  readonly tlds?: string
  readonly styles?: string
  readonly min?: number
  readonly max?: number
  /** Words that names contain, and words that they do not. */
  readonly with?: string
  readonly without?: string
  /** The most for the first year. */
  readonly price?: number
  readonly currency?: string
  /** Of the registrant. */
  readonly country?: string
  /** Of the names. */
  readonly language?: string
  readonly seed?: number
  readonly variants?: true
  /** Names to steer towards, and away from. */
  readonly like?: string
  readonly unlike?: string
  /** Names that were there before, and are left out. */
  readonly past?: string
  /** Of the page itself; kept as it is. */
  readonly lang?: string
}

export const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Undefined when there is nothing in it, so that it leaves the address. */
export const textOf = (list: readonly string[]): string | undefined =>
  list.length === 0 ? undefined : [...new Set(list)].join(',')

export function parseAsked(search: Record<string, unknown>): Asked {
  const text = (key: string, longest: number) => {
    const value = search[key]
    const said = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    return said.trim() === '' ? undefined : said.slice(0, longest)
  }
  const list = (key: string, most: number, fits = (_part: string) => true) =>
    textOf(
      listOf(text(key, 4_000))
        .filter((part) => part.length <= 63 && fits(part))
        .slice(0, most),
    )
  const number = (key: string, least: number, most: number, whole = true) => {
    const value = Number(search[key] ?? Number.NaN)
    return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : undefined
  }
  const code = (key: string, length: number) => text(key, length)?.toUpperCase().match(`^[A-Z]{${length}}$`)?.[0]
  const styles = (part: string) => STYLES.some((style) => style === part)
  const min = number('min', 1, 63)
  const max = number('max', 1, 63)
  return definedOf({
    d: text('d', DESCRIPTION_MAX),
    n: number('n', 1, COUNT_MAX),
    tlds: list('tlds', 50),
    styles: list('styles', STYLES.length, styles),
    min,
    max: min !== undefined && max !== undefined && max < min ? undefined : max,
    with: list('with', 20, isShort),
    without: list('without', 20, isShort),
    price: number('price', 0.01, 1_000_000, false),
    currency: code('currency', 3),
    country: code('country', 2),
    language: text('language', 35),
    seed: number('seed', 0, SEED_MAX),
    variants: search['variants'] === true || search['variants'] === 'true' || undefined,
    like: list('like', 20, isShort),
    unlike: list('unlike', 20, isShort),
    past: list('past', WORDS_MAX, isShort),
    lang: text('lang', 35),
  })
}

const isShort = (part: string) => part.length <= 40

/** Changed in some places; what is changed to undefined leaves the address. */
export function changed(asked: Asked, change: { readonly [Key in keyof Asked]?: Asked[Key] | undefined }): Asked {
  return definedOf({ ...asked, ...change })
}

/** A search of its own: the same words may lead elsewhere, but the same link does not. */
export const newSeed = (): number => Math.floor(Math.random() * SEED_MAX)

/** As many names as the service can leave out, the best ones first: those would come again. */
export const pastOf = (names: readonly string[]): string | undefined => textOf(names.slice(0, WORDS_MAX))

/** Without those that are undefined: an optional property is there or it is not. */
export function definedOf<T extends object>(of: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as never
}
