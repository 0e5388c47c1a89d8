/**
 * Opens the families of names for one request: each gets the pool of parts it needs and speaks only when asked.
 *
 * When every name must hold a certain word, that word takes the place of the pool on one side of each compound, and
 * the description's own words stand on the other.
 */
import type { Family } from '../arrange.ts'
import type { Keyword } from '../keywords.ts'
import type { Knowledge } from '../knowledge.ts'
import { makePart } from '../part.ts'
import type { Pick } from '../pool.ts'
import { openPool, poolOf, withOwn } from '../pool.ts'
import type { Rules } from '../rules.ts'
import { affixed } from './affixed.ts'
import { blended } from './blended.ts'
import type { Stream } from './draft.ts'
import { paired } from './paired.ts'
import { partnered, THOROUGH } from './partnered.ts'
import { singles } from './singles.ts'

export interface Led {
  readonly keywords: readonly Keyword[]
  readonly intents: readonly number[]
  readonly seed: number
}

export function openFamilies(knowledge: Knowledge, rules: Rules, led: Led): Map<Family, Stream> {
  const { keywords, intents, seed } = led
  const { partners } = knowledge
  const all = openPool(keywords, ({ aspect }) => aspect?.all ?? [], seed)
  const firsts = openPool(keywords, (keyword) => withOwn(keyword, 'firsts'), seed)
  const heads = openPool(keywords, (keyword) => withOwn(keyword, 'heads'), seed)
  const tails = partners.tails(intents)
  const leads = partners.leads(intents)
  if (rules.includes.length > 0) {
    const held = poolOf(required(knowledge, rules.includes))
    return new Map<Family, Stream>([
      ['single', chained(singles(poolOf(containing(knowledge, rules.includes))), singles(all))],
      ['lead', partnered('lead', held, leads, seed, THOROUGH)],
      ['tail', partnered('tail', held, tails, seed, THOROUGH)],
      ['pair', chained(paired(held, heads, THOROUGH), paired(firsts, held, THOROUGH))],
      ['affix', affixed(held, partners.endings, seed)],
    ])
  }
  return new Map<Family, Stream>([
    ['single', singles(all)],
    ['lead', partnered('lead', heads, leads, seed)],
    ['tail', partnered('tail', firsts, tails, seed)],
    ['pair', paired(firsts, heads)],
    ['affix', affixed(firsts, partners.endings, seed)],
    ['blend', blended(all)],
  ])
}

function required({ lexicon, safety }: Knowledge, words: readonly string[]): Pick[] {
  return words
    .filter((word) => safety.isClean(word))
    .map((word) => ({
      part: lexicon.get(word) ?? makePart([word], '-'),
      keyword: { word, weight: 1 },
      relevance: 1,
    }))
}

function containing({ lexicon, safety }: Knowledge, words: readonly string[]): Pick[] {
  const found: Pick[] = []
  for (const part of lexicon.values()) {
    const word = words.find((one) => one.length >= 3 && part.text.includes(one))
    if (word === undefined || part.kind === '-' || !safety.isClean(part.text)) continue
    found.push({ part, keyword: { word, weight: 1 }, relevance: 0.8 })
  }
  return found
}

function chained(one: Stream, other: Stream): Stream {
  return () => one() ?? other()
}
