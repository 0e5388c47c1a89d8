/** What is asked of the naming, and what it answers. */

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

/** What a caller requires of the names themselves; not of domains or prices. */
export interface NameRequest {
  readonly description: string
  /** BCP 47; detected when absent. */
  readonly language?: string
  /** Absent: every style but respellings and domain hacks, which are made on request only. */
  readonly styles?: readonly Style[]
  /** One of these words must be in every name. */
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
  /** The suffixes that may complete a word, if that style is requested. */
  readonly hackSuffixes?: readonly string[]
  /** Names that a language model proposed, best first. They come before all others. */
  readonly proposals?: readonly NameProposal[]
  /** True: nothing but these proposals. */
  readonly onlyProposals?: boolean
}

export interface NameProposal {
  /** In Latin letters. */
  readonly name: string
  /** In its own script, where that is not Latin. */
  readonly native?: string
  /** Why this name, in a few words of the caller's language. */
  readonly reason?: string
}

/** A name that the caller gives. */
export interface Candidate {
  /** As the caller wrote it, in NFC. */
  readonly name: string
  readonly label: string
  /** The label as people read it: of `xn--mller-kva` it is `müller`. */
  readonly letters: string
  /** The only suffix it is meant for: `crumbfolk.io`. */
  readonly suffix?: string
}

/** Why a candidate may not be suggested, whatever its domains. */
export type Objection = 'unsafe' | 'famous' | 'excluded'

export interface Proposal {
  readonly label: string
  /** As a person would write it: "Mayfly", "Paperdozer". */
  readonly name: string
  /** The only suffix it works with: "bivou" completes under "ac" only. */
  readonly suffix?: string
  readonly origin: NameOrigin
  readonly score: Score
}

/** Each part is 0..1; names are ordered by `total`. */
export interface Score {
  readonly total: number
  readonly relevance: number
  readonly length: number
}

/** Where a name comes from, as data: whoever shows it turns it into a sentence. */
export interface NameOrigin {
  readonly style: Style
  /** The words it is made of, in order. */
  readonly parts: readonly string[]
  /** The caller's own word that led to it, if there is one. */
  readonly because?: string
  /** Why it was proposed, in the words of who proposed or wrote it. */
  readonly reason?: string
  /** The association in a few English words, if one is on record: "how wages once came". */
  readonly image?: string
}

/** What was understood of a description. */
export interface ProjectSummary {
  /** BCP 47, as detected; `und` for a language that nothing is written in here. */
  readonly language: string
  /** The field it is about, in English; null if none is likely. */
  readonly subject: string | null
  /** What it does for people. */
  readonly does: readonly string[]
  readonly forWhom: readonly string[]
  readonly angles: readonly string[]
  /** Words of the description that no list knows, and words that it denies. */
  readonly ignored: readonly string[]
  /** Whether names written for the subject are used. */
  readonly isSure: boolean
}

/** A description and nothing else, with the defaults that the API fills in. */
export function plainNameRequest(description: string): NameRequest {
  return {
    description,
    includeWords: [],
    excludeWords: [],
    minLength: 3,
    maxLength: 15,
    hyphens: false,
    digits: false,
    like: [],
    unlike: [],
    seed: 0,
  }
}
