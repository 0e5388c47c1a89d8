/**
 * From what a caller wrote to names they would like to own, best first.
 *
 * Read `propose` top to bottom: understand the words; put what a language model proposed first, in its order; then the
 * names written for such projects, where it is sure what the project is; let every family of names speak; keep what the caller's rules and safety admit; let the judge rate it; arrange. When that gives
 * too few, the families go deeper, and a neutral stock of pleasant words joins in, so that an answer is never empty for
 * want of words.
 *
 * The same ask gives the same list on any machine: nothing here looks at a clock, a random number or an earlier
 * request. Whether a name is free to register is not known here.
 */
import type { Proposal, NameRequest, NameProposal } from '../model/name.ts'
import { arrange } from './arrange.ts'
import type { Rated } from './arrange.ts'
import { makeProposals } from './proposal.ts'
import { fieldNames } from './families/field-names.ts'
import type { Draft } from './families/draft.ts'
import type { Depth } from './families/families.ts'
import { draftAll } from './families/families.ts'
import { nativeField } from './families/native-field.ts'
import { proposed } from './families/proposed.ts'
import { hashOf } from './hash.ts'
import { createRating } from './judge/rating.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import type { Rules } from './rules.ts'
import { readRules } from './rules.ts'
import type { Understanding } from './understand/understand.ts'
import { understand } from './understand/understand.ts'
import { isSure } from './understand/fields.ts'
import { createTurns } from './turns.ts'

const DEPTHS: readonly Depth[] = ['best', 'deep', 'deepest']
// How much the seed may move a name: enough to change the order among near equals, not to lift a poor one.
const SEED_SPREAD = 0.3
// The judge was taught on English names; those of other languages were written one by one, and rank as they stand.
const NATIVE = 1.2
// Base scores above nearly every score of the judge, so that these names stay first.
const PROPOSED = 4
const FIELD_NAME = 3
// For the words of names the caller likes, and for names and numbers in the description.
const LIKED = 5
const PROPER = 2
// The seed moves names more where many descriptions have the aspect, so that not everybody gets the same best names.
const USAGE_SPREAD = 20
// More than the scores of the judge differ: names out of turn are left out at first, and come last then.
const OUT_OF_TURN = 4
// The work of one depth, whatever was asked: an ordinary one makes up to 7,000. A count, not a time, so that the same ask
// gives the same list.
const MAX_DRAFTS = 16_000

export function propose(knowledge: Knowledge, ask: NameRequest, wanted: number): Proposal[] {
  const understanding = understand(knowledge, ask)
  const rules = readRules(ask, understanding.banned)
  if (rules.impossible) return []
  const arranged = rateProposals(knowledge, understanding, rules, ask.proposals ?? [])
  const seen = new Set(arranged.map(({ draft }) => draft.label))
  for (const rated of ask.onlyProposals === true ? [] : rateFieldNames(knowledge, understanding, rules, ask)) {
    if (arranged.length >= wanted) break
    if (!seen.has(rated.draft.label)) arranged.push(rated)
    seen.add(rated.draft.label)
  }
  for (const depth of ask.onlyProposals === true ? [] : DEPTHS) {
    if (arranged.length >= wanted) break
    const found = gather(knowledge, understanding, rules, ask, depth).filter(({ draft }) => !seen.has(draft.label))
    arranged.push(...arrange(rate(knowledge, understanding, ask, found, depth), wanted - arranged.length))
    for (const { draft } of arranged) seen.add(draft.label)
  }
  return makeProposals(knowledge, understanding, ask, arranged)
}

/**
 * Reviewers accept what a language model proposes two to five times as often as what the families make, and the judge
 * orders it worse than the model does. So proposals come first, and keep their order.
 */
function rateProposals(
  knowledge: Knowledge,
  understanding: Understanding,
  rules: Rules,
  proposals: readonly NameProposal[],
): Rated[] {
  const drafts = new Map<string, Draft>()
  for (const draft of proposed(knowledge, understanding, proposals)) {
    if (!drafts.has(draft.label) && admits(knowledge, rules, draft)) drafts.set(draft.label, draft)
  }
  return [...drafts.values()].map((draft) => ({ draft, score: PROPOSED - draft.rank }))
}

/**
 * The English names written for the field, if it is sure: reviewers accept them about twice as often as what the
 * families make, and those of a wrong field less often. In another language its own come first, and need no sure field:
 * what the families make there is hardly ever accepted. A caller who likes a name wants more of its words instead.
 */
function rateFieldNames(knowledge: Knowledge, understanding: Understanding, rules: Rules, ask: NameRequest): Rated[] {
  if (understanding.liked.length > 0) return []
  const language = ask.language?.split('-')[0] ?? understanding.language
  const salt = hashOf(ask.description, ask.seed)
  const [guess] = understanding.fields
  const native = knowledge.fields.native.get(language)
  const ownNames = native ? nativeField(native, understanding.fields, ask.idn === true, salt) : []
  const hasEnglish = isSure(guess) && (language === 'en' || native !== undefined)
  const english = hasEnglish ? fieldNames(knowledge.fields, guess, understanding, salt) : []
  return [...ownNames, ...english.filter(createTurns(knowledge, salt))]
    .filter((draft) => admits(knowledge, rules, draft))
    .map((draft) => ({ draft, score: FIELD_NAME - draft.rank }))
}

export interface Found {
  readonly draft: Draft
  /** How many families and aspects came to this label. */
  hits: number
}

/** Every draft that may be shown, each label once. */
export function gather(
  knowledge: Knowledge,
  understanding: Understanding,
  rules: Rules,
  ask: NameRequest,
  depth: Depth,
): Found[] {
  const all = new Map<string, Found>()
  for (const draft of draftAll(knowledge, understanding, rules, ask, depth).take(MAX_DRAFTS)) {
    const before = all.get(draft.label)
    if (before !== undefined) before.hits++
    else if (admits(knowledge, rules, draft)) all.set(draft.label, { draft, hits: 1 })
  }
  return [...all.values()]
}

function rate(
  knowledge: Knowledge,
  understanding: Understanding,
  ask: NameRequest,
  found: readonly Found[],
  depth: Depth,
): Rated[] {
  const salt = hashOf(ask.description, ask.seed)
  const rateDraft = createRating(knowledge, understanding)
  const isInTurn = createTurns(knowledge, salt)
  const wordBonuses = new Map([
    ...understanding.proper.map((word) => [word, PROPER] as const),
    ...understanding.liked.map((word) => [word, LIKED] as const),
  ])
  return found.flatMap(({ draft, hits }) => {
    const usageFactor = 1 + USAGE_SPREAD * knowledge.aspects.usage[draft.lead.aspect]!
    const seedShift = SEED_SPREAD * usageFactor * (hashOf(draft.label, salt) / 2 ** 32 - 0.5)
    if (draft.family === 'native') return { draft, score: NATIVE + draft.lead.weight - draft.rank + seedShift }
    let likedBonus = 0
    if (wordBonuses.size > 0)
      for (const part of draft.parts) likedBonus = Math.max(likedBonus, wordBonuses.get(part) ?? 0)
    const turnShift = likedBonus > 0 || isInTurn(draft) ? 0 : -OUT_OF_TURN
    if (turnShift < 0 && depth === 'best') return []
    return { draft, score: rateDraft(draft, hits) + likedBonus + seedShift + turnShift }
  })
}

function admits({ safety }: Knowledge, rules: Rules, { style, label, parts, whole, written }: Draft): boolean {
  // Names of the data (written >= 0) were checked for safety when the data was built.
  return rules.allows(style) && rules.admits(label) && (written >= 0 || safety.isNameable(whole ?? label, parts))
}
