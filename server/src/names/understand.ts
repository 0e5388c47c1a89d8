/**
 * A description, and the names the caller likes or not → the keywords that lead to names, best first.
 *
 * Order of thought: split the text into words, decide whether it is English, walk the words once (phrases before
 * single words, negations as they come), then weigh. Rare and concrete words weigh most; the words every
 * description has ("platform", "AI") weigh so little that they never lead.
 *
 * A denied word ("no cloud") is neither a keyword nor allowed in a name.
 */
import type { NameAsk } from '../model/name.ts'
import type { Aspect } from './aspects.ts'
import type { Gathering, Understanding } from './keywords.ts'
import { gather, WEIGHT } from './keywords.ts'
import type { Knowledge } from './knowledge.ts'
import { findEnglish, findForeign, findInRun } from './lookup.ts'
import { splitName } from './split.ts'
import type { Token } from './tokens.ts'
import { labelLetters, tokensOf } from './tokens.ts'

export function understand(knowledge: Knowledge, ask: NameAsk): Understanding {
  const found = gather(knowledge, ask.digits)
  const tokens = tokensOf(ask.description)
  walk(knowledge, tokens, isForeign(knowledge, tokens, ask.language), found)
  for (const name of ask.like) {
    for (const word of partsOf(knowledge, name)) found.add(word, word, findEnglish(knowledge, word), WEIGHT.liked, true)
  }
  for (const name of ask.unlike) {
    for (const word of partsOf(knowledge, name)) found.dislike(word)
  }
  for (const word of ask.excludeWords) found.dislike(labelLetters(word))
  return found.finish()
}

function walk(knowledge: Knowledge, tokens: readonly Token[], foreign: boolean, found: Gathering): void {
  const { stop, negators, carries, joins, notNegated } = knowledge.words
  let denied = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const next = tokens[at + 1]
    const word = token.folded
    if (token.spaceless) {
      denied = walkRun(knowledge, word, denied, found)
      continue
    }
    const phrase = foreign ? undefined : findPhrase(knowledge, tokens, at)
    if (phrase !== undefined) {
      found.add(phrase.text, phrase.form, [phrase.aspect], WEIGHT.known, false)
      at += phrase.size - 1
      continue
    }
    if (negators.has(word)) {
      denied = next !== undefined && !notNegated.has(next.folded)
      continue
    }
    if (denied && carries.has(word)) continue
    if (stop.has(word) && (!denied || !joins.has(word))) {
      if (!joins.has(word)) denied = false
      continue
    }
    if (denied || (next?.tied === true && next.folded === 'free')) {
      found.deny(word)
      denied = denied && next !== undefined && joins.has(next.folded)
      if (denied) at++
      continue
    }
    const aspects = lookUp(knowledge, token, foreign)
    found.add(token.text, word, aspects, weightOf(knowledge, word, aspects, foreign), token.latin)
  }
}

function walkRun(knowledge: Knowledge, run: string, deniedBefore: boolean, found: Gathering): boolean {
  let denied = deniedBefore
  for (const { text, aspect } of findInRun(knowledge, run)) {
    if (aspect === undefined) denied = true
    else if (denied) denied = false
    else found.add(text, text, [aspect], WEIGHT.known, false)
  }
  return denied
}

function lookUp(knowledge: Knowledge, token: Token, foreign: boolean): readonly Aspect[] {
  if (foreign || !token.latin || (token.folded !== token.text.toLowerCase() && knowledge.foreign.has(token.folded))) {
    const aspects = findForeign(knowledge, token)
    // Short words mean other things in other languages; long ones are mostly the same word.
    return aspects.length > 0 || token.folded.length < 6 ? aspects : findEnglish(knowledge, token.folded)
  }
  const aspects = findEnglish(knowledge, token.folded)
  if (aspects.length > 0 || knowledge.lexicon.has(token.folded)) return aspects
  const other = knowledge.foreign.get(token.folded)
  return other === undefined ? [] : [other]
}

function weightOf(knowledge: Knowledge, word: string, aspects: readonly Aspect[], foreign: boolean): number {
  if (knowledge.words.weak.has(word)) return WEIGHT.weak
  if (aspects.length > 0) return foreign || knowledge.forms.has(word) ? WEIGHT.known : WEIGHT.reached
  return !foreign && knowledge.lexicon.has(word) ? WEIGHT.plain : WEIGHT.unknown
}

function findPhrase(knowledge: Knowledge, tokens: readonly Token[], at: number) {
  const [one, two, three] = [tokens[at]!, tokens[at + 1], tokens[at + 2]]
  if (two === undefined || !knowledge.phraseStarts.has(one.folded)) return undefined
  const pair = `${one.folded} ${two.folded}`
  const triple = three === undefined ? undefined : `${pair} ${three.folded}`
  const longest = triple === undefined ? undefined : knowledge.forms.get(triple)
  if (longest !== undefined) {
    return { aspect: longest, form: triple!, size: 3, text: `${one.text} ${two.text} ${three!.text}` }
  }
  const aspect = knowledge.forms.get(pair)
  if (aspect === undefined) return undefined
  return { aspect, form: pair, size: 2, text: `${one.text}${two.tied ? '-' : ' '}${two.text}` }
}

/** More function words of another language than of English. The caller's setting decides only when none speaks. */
function isForeign(knowledge: Knowledge, tokens: readonly Token[], language: string | undefined): boolean {
  const seen = new Map<string, number>()
  for (const { folded } of tokens) {
    const languages = knowledge.words.stop.get(folded)
    if (languages !== undefined) for (const one of languages) seen.set(one, (seen.get(one) ?? 0) + 1)
  }
  const english = seen.get('en') ?? 0
  if (seen.size === 0) return language !== undefined && !language.startsWith('en')
  return Math.max(...seen.values()) > english
}

function partsOf(knowledge: Knowledge, name: string): string[] {
  return tokensOf(name).flatMap(({ folded }) => splitName(folded, knowledge.lexicon))
}
