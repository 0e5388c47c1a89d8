/**
 * From what a caller wrote to names they would like to own, best first.
 *
 * Read `propose` top to bottom: understand the words, gather what they lead to, let each family of names speak in
 * turn, and stop as soon as enough are found. When a description leads to too little, a neutral stock of pleasant
 * words goes on where it ended, so that an answer is never empty for want of words.
 *
 * The same ask gives the same list: nothing here looks at a clock, a random number or an earlier request. Whether a
 * name is free to register is not known here.
 */
import type { Candidate, NameAsk } from '../model/name.ts'
import { arrange } from './arrange.ts'
import { makeCandidate } from './candidate.ts'
import type { Draft } from './families/draft.ts'
import { openFamilies } from './families/families.ts'
import type { Keyword } from './keywords.ts'
import type { Knowledge } from './knowledge.ts'
import { readKnowledge } from './knowledge.ts'
import type { Rules } from './rules.ts'
import { readRules } from './rules.ts'
import { understand } from './understand.ts'

export interface Names {
  propose(ask: NameAsk, wanted: number, signal: AbortSignal): Promise<readonly Candidate[]>
}

const STOCK_WEIGHT = 0.3

export async function openNames(): Promise<Names> {
  const knowledge = await readKnowledge()
  return { propose: async (ask, wanted, signal) => propose(knowledge, ask, wanted, signal) }
}

function propose(knowledge: Knowledge, ask: NameAsk, wanted: number, signal: AbortSignal): Candidate[] {
  signal.throwIfAborted()
  const { keywords, intents, banned } = understand(knowledge, ask)
  const rules = readRules(ask, banned)
  if (rules.impossible || wanted < 1) return []
  const stock: Keyword = { weight: STOCK_WEIGHT, aspect: knowledge.stock }
  const found: Candidate[] = []
  const seen = new Set<string>()
  const isAdmitted = (draft: Draft) => admits(knowledge, rules, draft) && seen.size !== seen.add(draft.label).size
  for (const led of keywords.length === 0 ? [[stock]] : [keywords, [...keywords, stock]]) {
    signal.throwIfAborted()
    const families = openFamilies(knowledge, rules, { keywords: led, intents, seed: ask.seed })
    arrange(families, isAdmitted, (draft) => found.push(makeCandidate(draft, ask, found)) < wanted)
    if (found.length >= wanted) break
  }
  return found
}

function admits({ safety, joints }: Knowledge, rules: Rules, draft: Draft): boolean {
  const { label, seam, halves, style } = draft
  if (!rules.allows(style) || !rules.admits(label)) return false
  // What was written down as a name was looked at then; only what was joined here can say something new.
  if (seam > 0 && joints.hides(label, seam)) return false
  if (halves !== undefined && joints.misreads(halves.first, halves.second)) return false
  return safety.isNameable(label)
}
