/** What the caller asked of every single name, as one yes or no. */
import type { NameRequest, Style } from './request.ts'
import { labelLetters } from './text.ts'

export interface Rules {
  /** The words one of which must be in every name; empty when anything goes. */
  readonly includes: readonly string[]
  /** True when the caller asks for words that no label can hold, so that no name can be right. */
  readonly impossible: boolean
  allows(style: Style): boolean
  /** Says nothing about digits: those only come in with the caller's own words, which are weighed before. */
  admits(label: string): boolean
}

// DNS allows no longer label.
const MAX_LABEL = 63

export function readRules(ask: NameRequest, banned: readonly string[]): Rules {
  const spelled = ask.includeWords.map(labelLetters)
  const includes = spelled.filter((word) => word !== '' && (ask.digits || !hasDigit(word)))
  const excludes = [...ask.excludeWords.map(labelLetters), ...banned].filter((word) => word !== '')
  const longest = Math.min(ask.maxLength, MAX_LABEL)
  return {
    includes,
    impossible: spelled.length > 0 && includes.length === 0,
    allows: (style) => ask.styles === undefined || ask.styles.includes(style),
    admits: (label) =>
      label.length >= ask.minLength &&
      label.length <= longest &&
      (includes.length === 0 || includes.some((word) => label.includes(word))) &&
      !excludes.some((word) => label.includes(word)),
  }
}

function hasDigit(text: string): boolean {
  return /[0-9]/.test(text)
}
