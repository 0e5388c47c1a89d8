/** A name before anyone knows whether it can be registered: what `names/` proposes. */
import type { Label, Suffix } from './domain.ts'

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

/** What a caller asked of the names themselves; nothing here is about domains or money. */
export interface NameAsk {
  readonly description: string
  readonly language?: string
  /** Absent: every style that clears the quality floor. */
  readonly styles?: readonly Style[]
  readonly includeWords: readonly string[]
  readonly excludeWords: readonly string[]
  readonly minLength: number
  readonly maxLength: number
  readonly hyphens: boolean
  /** Labels may have letters beyond a to z. */
  readonly idn?: boolean
  readonly digits: boolean
  readonly like: readonly string[]
  readonly unlike: readonly string[]
  readonly seed: number
  /** The suffixes that may complete a word, when that style is asked for. */
  readonly hackSuffixes?: readonly Suffix[]
  /** What is found out about each name beyond what an answer always has. */
  readonly facts?: readonly NameFact[]
  /** Names proposed by somebody else, to be judged with ours; hostile until parsed. */
  readonly told?: readonly string[]
}

export interface Candidate {
  readonly label: Label
  /** As a person would write it: "Mayfly", "Paperdozer". */
  readonly name: string
  /** The one suffix it stands under: "bivou" completes under "ac" only. */
  readonly suffix?: Suffix
  readonly origin: Origin
  /** Each part 0..1; `total` is what the order follows. */
  readonly score: {
    readonly total: number
    readonly relevance: number
    readonly sound: number
    readonly length: number
  }
  /** Where it was asked for; null of a name that is not said by English rules. */
  readonly sound?: Sound | null
  readonly risks?: Risks
}

export const NAME_FACTS = ['sound', 'risks'] as const
export type NameFact = (typeof NAME_FACTS)[number]

/** How an English reader would say it. */
export interface Sound {
  readonly syllables: number
  /** "BRED-weel". */
  readonly said: string
  /** Would who hears it write it so? Null where it could go either way. */
  readonly spelledAsHeard: boolean | null
}

export interface Risks {
  /** In how many languages it was looked for; none for a name in other letters than a to z. */
  readonly checked: number
  readonly found: readonly Risk[]
}

export interface Risk {
  /** Null for a famous name. */
  readonly language: string | null
  readonly kind: 'offensive' | 'vulgar' | 'unlucky' | 'confusable_brand'
  readonly word: string
}

/** Where a name comes from, as data: the door turns it into a sentence in the caller's language. */
export interface Origin {
  readonly style: Style
  /** The words it is made of, in order. */
  readonly parts: readonly string[]
  /** The caller's own word that led here, when there is one. */
  readonly because?: string
  /** What it makes one think of, in a few English words, where that was written down: "how wages once came". */
  readonly image?: string
}
