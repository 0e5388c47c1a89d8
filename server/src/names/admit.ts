/** Candidates of the caller: what speaks against each, or the name with its score and the words it is made of. */
import { domainToUnicode } from 'node:url'
import type { Candidate, NameRequest, Objection, Proposal } from '../model/name.ts'
import { draftOf } from './families/proposed.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import { makeProposals } from './proposal.ts'
import { readRules } from './rules.ts'
import type { Rules } from './rules.ts'
import { fold } from './understand/tokens.ts'
import type { Understanding } from './understand/understand.ts'
import { understand } from './understand/understand.ts'

export function admit(
  knowledge: Knowledge,
  ask: NameRequest,
  candidates: readonly Candidate[],
): (Proposal | Objection)[] {
  const understanding = understand(knowledge, ask)
  const rules = readRules(ask, [])
  return candidates.map((candidate) => admitOne(knowledge, understanding, rules, ask, candidate))
}

function admitOne(
  knowledge: Knowledge,
  understanding: Understanding,
  rules: Rules,
  ask: NameRequest,
  { name, label, suffix }: Candidate,
): Proposal | Objection {
  const [written = ''] = suffix === undefined ? [name] : name.split(/[.。．｡]/)
  const isIdn = label.startsWith('xn--')
  // A label drops signs that nobody sees, such as a soft hyphen: what it says counts, not what was written.
  const read = fold(isIdn ? domainToUnicode(label) : label).replaceAll('-', '')
  const words = fold(written)
    .split(/[\s-]+/)
    .filter(Boolean)
  const draft = draftOf(knowledge, understanding, words.join('') === read ? words : [read])
  const objection = knowledge.safety.objectionTo(draft.label, draft.parts)
  if (objection !== undefined) return objection
  const isAllowed =
    !rules.impossible &&
    rules.allows(draft.style) &&
    rules.admits(draft.label) &&
    (ask.idn === true || !isIdn) &&
    (ask.hyphens || isIdn || !label.includes('-')) &&
    (ask.digits || !/[0-9]/.test(draft.label))
  if (!isAllowed) return 'excluded'
  const [proposal] = makeProposals(knowledge, understanding, { ...ask, hyphens: false }, [{ draft, score: 0 }])
  return proposal ? { ...proposal, name, label, ...(suffix === undefined ? {} : { suffix }) } : 'excluded'
}
