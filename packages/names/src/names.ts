/**
 * The naming: names for a description, from lists that people wrote, best first.
 *
 * The same request gives the same names on every machine: nothing here looks at a clock, a random number or an earlier
 * request, and nothing is read but the lists. Whether a name is free to register is not known here.
 */
import type { Draft } from './draft.ts'
import { readMarks } from './detect.ts'
import { type English, openEnglish } from './english.ts'
import { type Language, openLanguage, unfoldUmlauts } from './language.ts'
import { draftOf, draftsFor } from './propose.ts'
import type { Candidate, NameRequest, Objection, ProjectSummary, Proposal } from './request.ts'
import { readRules, type Rules } from './rules.ts'
import { openSafety, type Safety } from './safety.ts'
import { capitalise, fold } from './text.ts'
import { type Knowledge, SURE, understand, type Understanding } from './understand.ts'

export type {
  Candidate,
  NameOrigin,
  NameProposal,
  NameRequest,
  Objection,
  ProjectSummary,
  Proposal,
  Score,
  Style,
} from './request.ts'
export { plainNameRequest, STYLES } from './request.ts'

export interface Names {
  /** Names for this request, best first; fewer than wanted when no more are worth showing. */
  readonly propose: (request: NameRequest, wanted: number) => readonly Proposal[]
  /** Each candidate of the caller as a name, or what speaks against it. */
  readonly admit: (request: NameRequest, candidates: readonly Candidate[]) => readonly (Proposal | Objection)[]
  /** What was understood of the description. */
  readonly summarise: (request: NameRequest) => ProjectSummary
}

/** The text of one of the files in `data/`; undefined for the list of a language that is not there. */
export type ReadList = (file: string) => string | undefined

// A field less likely than this is not worth telling.
const LIKELY = 0.25
const AUDIENCE = 'for '
// When hyphens are allowed, one compound in so many carries one: most people who allow them still prefer none.
const HYPHEN_EVERY = 3

export function openNames(readList: ReadList): Names {
  const read = (file: string) => {
    const text = readList(file)
    if (text === undefined) throw new Error(`the list ${file} is missing`)
    return text
  }
  const english = openEnglish(read)
  const marks = readMarks(read('languages.txt'))
  const safety = openSafety(read)
  const halves = read('halves.txt').trim().split(/\s+/)
  const opened = new Map<string, Language | undefined>()
  const knowledge: Knowledge = { english, marks, open, isClean: safety.isClean }

  /** The lists of one language, read when it first comes. */
  function open(language: string): Language | undefined {
    if (language === 'en' || marks.of(language) === undefined) return undefined
    if (!opened.has(language)) {
      const text = readList(`languages/${language}.txt`)
      const generic = marks.of(language)?.generic ?? []
      const unfold = language === 'de' ? unfoldUmlauts : fold
      opened.set(
        language,
        text === undefined ? undefined : openLanguage(text, { fields: english.fields, generic, unfold }),
      )
    }
    return opened.get(language)
  }

  return {
    propose(request, wanted) {
      const understanding = understand(knowledge, request)
      const rules = readRules(request, understanding.banned)
      if (rules.impossible) return []
      const drafts = draftsFor(
        { ...knowledge, halves, isAllowed: (draft) => isAllowed(rules, safety, draft) },
        understanding,
        request,
        wanted,
      )
      return toProposals(drafts, request)
    },
    admit(request, candidates) {
      const rules = readRules(request, [])
      return candidates.map((candidate) => admitOne(english, safety, rules, request, candidate))
    },
    summarise: (request) => summaryOf(english, understand(knowledge, request)),
  }
}

function isAllowed(rules: Rules, safety: Safety, { style, label, parts, suffix }: Draft): boolean {
  if (label === '' || !rules.allows(style) || !rules.admits(label)) return false
  // What a suffix completes is read whole.
  const read = suffix === undefined ? label : parts.join('')
  return safety.objectionTo(read, parts) === undefined
}

function toProposals(drafts: readonly Draft[], { hyphens, maxLength }: NameRequest): Proposal[] {
  let compounds = 0
  return drafts.map((draft, place) => {
    const isCompound = draft.parts.length === 2 && draft.style === 'compound'
    const isHyphenated = hyphens && isCompound && draft.label.length < maxLength && compounds++ % HYPHEN_EVERY === 1
    const label = isHyphenated ? draft.parts.join('-') : draft.label
    const name = isHyphenated ? draft.parts.map(capitalise).join('-') : draft.name
    return toProposal({ ...draft, label, name }, place)
  })
}

function toProposal(
  { label, name, style, parts, relevance, because, reason, image, suffix }: Draft,
  place: number,
): Proposal {
  return {
    label,
    name,
    ...(suffix === undefined ? {} : { suffix }),
    origin: {
      style,
      parts,
      ...(because === undefined ? {} : { because }),
      ...(reason === undefined ? {} : { reason }),
      ...(image === undefined ? {} : { image }),
    },
    score: { total: round(1 / (1 + place / 20)), relevance: round(relevance), length: lengthScore(label.length) },
  }
}

/** Names people keep have five to nine letters. */
function lengthScore(letters: number): number {
  const off = letters < 5 ? 5 - letters : Math.max(0, letters - 9)
  return round(Math.max(0, 1 - 0.12 * off))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

function admitOne(
  { byField }: English,
  safety: Safety,
  rules: Rules,
  request: NameRequest,
  { name, label, letters, suffix }: Candidate,
): Proposal | Objection {
  const [written = ''] = suffix === undefined ? [name] : name.split(/[.。．｡]/)
  const isIdn = label.startsWith('xn--')
  // A label drops signs that nobody sees, such as a soft hyphen: what it says counts, not what was written.
  const read = fold(letters).replaceAll('-', '')
  const words = fold(written)
    .split(/[\s-]+/)
    .filter(Boolean)
  const draft = draftOf(words.join('') === read ? words : [read], byField)
  const objection = safety.objectionTo(draft.label, draft.parts)
  if (objection !== undefined) return objection
  const isWanted =
    !rules.impossible &&
    rules.allows(draft.style) &&
    rules.admits(draft.label) &&
    (request.idn === true || !isIdn) &&
    (request.hyphens || isIdn || !label.includes('-')) &&
    (request.digits || !/[0-9]/.test(draft.label))
  if (!isWanted) return 'excluded'
  return { ...toProposal(draft, 0), name, label, ...(suffix === undefined ? {} : { suffix }) }
}

function summaryOf(
  { fields: names }: English,
  { language, typed, fields, traits, ignored }: Understanding,
): ProjectSummary {
  const [guess] = fields
  const manners = traits.filter(({ isManner }) => isManner).map(({ name }) => name)
  const isTold = typed === undefined && guess !== undefined
  return {
    language,
    subject: isTold && guess.surety >= LIKELY ? (names[guess.nth] ?? null) : null,
    does: traits.filter(({ isManner }) => !isManner).map(({ name }) => name),
    forWhom: manners.filter((name) => name.startsWith(AUDIENCE)),
    angles: manners.filter((name) => !name.startsWith(AUDIENCE)),
    ignored,
    isSure: isTold && guess.surety >= SURE,
  }
}
