/** A name before its availability is known, as `names/` proposes it. */
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

/** What a caller requires of the names themselves; not of domains or prices. */
export interface NameRequest {
  readonly description: string
  readonly language?: string
  /** Absent: every style above the quality threshold. */
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
  /** The suffixes that may complete a word, if that style is requested. */
  readonly hackSuffixes?: readonly Suffix[]
  /** Names that the language model proposed, best first. They come before all others. */
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
  readonly label: Label
  /** The only suffix it is meant for: `crumbfolk.io`. */
  readonly suffix?: Suffix
}

/** Why a candidate may not be suggested, whatever its domains. */
export type Objection = 'unsafe' | 'famous' | 'excluded'

export interface Proposal {
  readonly label: Label
  /** As a person would write it: "Mayfly", "Paperdozer". */
  readonly name: string
  /** The only suffix it works with: "bivou" completes under "ac" only. */
  readonly suffix?: Suffix
  readonly origin: NameOrigin
  /** Each part is 0..1; the order follows `total`. */
  readonly score: {
    readonly total: number
    readonly relevance: number
    readonly length: number
  }
}

/** What the naming understood of a description. */
export interface ProjectSummary {
  /** BCP 47, as detected. */
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

/** Where a name comes from, as data: the HTTP layer turns it into a sentence in the caller's language. */
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
