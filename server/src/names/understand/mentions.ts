/**
 * The words of a description, one after the other: what each leads to, and what is denied.
 *
 * Phrases come before single words. A negation ("no cloud", "ohne Zucker") denies the words after it up to the next
 * function word that does not hand it on.
 */
import type { Forms } from '../knowledge/forms.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { readEnglish, SURE } from './english.ts'
import type { Token } from './tokens.ts'

export interface Mention {
  /** As the caller wrote it. */
  readonly text: string
  readonly folded: string
  readonly aspects: readonly number[]
  /** How sure the way from the word to its aspects is: 1 the word itself, less for a neighbour. */
  readonly surety: number
  readonly denied: boolean
}

const MAX_PHRASE = 4
const MIN_PART = 3
// Korean words are two signs and more, with their particles behind them.
const MIN_HANGUL = 2
const MAX_ENDING = 2

export function readMentions(knowledge: Knowledge, tokens: readonly Token[], language: string): Mention[] {
  const { functionWords, negators, carries, joins, undoes } = knowledge.patterns
  const forms = knowledge.forms.get(language)
  const english = knowledge.forms.get('en')!
  const stop = functionWords.get(language) ?? new Set()
  const deny = negators.get(language) ?? new Set()
  const mentions: Mention[] = []
  let denied = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.spaceless) {
      denied = readRun(forms, deny, token.folded, denied, mentions)
      continue
    }
    const phrase = findPhrase(forms, english, tokens, at)
    if (phrase !== undefined) {
      mentions.push({ ...phrase.mention, denied })
      denied = false
      at += phrase.size - 1
      continue
    }
    if (deny.has(token.folded)) {
      const isUndone = tokens.slice(at + 1, at + 1 + MAX_PHRASE).some(({ folded }) => undoes.has(folded))
      denied = !isUndone && tokens[at + 1]?.folded !== 'only'
      continue
    }
    if (denied && carries.has(token.folded)) continue
    if (stop.has(token.folded)) {
      denied &&= joins.has(token.folded)
      continue
    }
    const free = tokens[at + 1]?.tied === true && tokens[at + 1]?.folded === 'free'
    mentions.push({ ...readWord(knowledge, forms, token, language), denied: denied || free })
    if (free) at++
    denied &&= joins.has(tokens[at + 1]?.folded ?? '')
  }
  return mentions
}

function readWord(
  knowledge: Knowledge,
  forms: Forms | undefined,
  token: Token,
  language: string,
): Omit<Mention, 'denied'> {
  const { text, folded } = token
  if (language !== 'en' && forms !== undefined) {
    const known = forms.exact(folded)
    if (known.length > 0) return { text, folded, aspects: known, surety: SURE.known }
    const bent = readForeign(forms, folded)
    if (bent.length > 0) return { text, folded, aspects: bent, surety: SURE.bent }
    // Short words mean other things in other languages; long Latin ones are mostly the same word.
    if (!token.latin || folded.length < 6) return { text, folded, aspects: [], surety: SURE.unknown }
  }
  return { text, folded, ...readEnglish(knowledge, folded) }
}

/** A bent word, a compound of known ones, or one behind an article that is written with it. */
function readForeign(forms: Forms, folded: string): readonly number[] {
  const bent = forms.bent(folded)
  if (bent.length > 0) return bent
  if (/^[\uac00-\ud7af]/.test(folded)) return readBeginning(forms, folded, MIN_HANGUL)
  if (!/^[a-z]/.test(folded)) {
    const beginning = readBeginning(forms, folded, Math.max(MIN_PART, folded.length - MAX_ENDING))
    if (beginning.length > 0) return beginning
  }
  const article = /^(?:وال|بال|ال|لل|و|ب|ل)(?=.{3})/.exec(folded)
  if (article !== null) return wordOf(forms, folded.slice(article[0].length))
  return /^[a-z]{7,}$/.test(folded) ? readCompound(forms, folded) : []
}

/** The longest known word it begins with: what follows is a particle or an ending. */
function readBeginning(forms: Forms, folded: string, shortest: number): readonly number[] {
  for (let size = folded.length - 1; size >= shortest; size--) {
    const found = forms.exact(folded.slice(0, size))
    if (found.length > 0) return found
  }
  return []
}

/** "kaffeerösterei" is coffee and roasting; of a compound half known, the end says what it is, the beginning of what. */
function readCompound(forms: Forms, folded: string): readonly number[] {
  let known: readonly number[] = []
  let half: readonly number[] = []
  for (let cut = folded.length - MIN_PART; cut >= MIN_PART; cut--) {
    const head = wordOf(forms, folded.slice(0, cut).replace(/(?<=.{4})[sn]$/, ''))
    const tail = wordOf(forms, folded.slice(cut))
    if (head.length > 0 && tail.length > 0) return [...head, ...tail]
    // The longest of each: the first head found is the longest, the last tail is.
    if (tail.length > 0 && folded.length - cut > MIN_PART) known = tail
    if (head.length > 0 && half.length === 0 && cut > MIN_PART + 1) half = head
  }
  return known.length > 0 ? known : half
}

function wordOf(forms: Forms, word: string): readonly number[] {
  const known = forms.exact(word)
  return known.length > 0 || word.length < 5 ? known : forms.bent(word)
}

function findPhrase(forms: Forms | undefined, english: Forms, tokens: readonly Token[], at: number) {
  for (let size = Math.min(MAX_PHRASE, tokens.length - at); size > 1; size--) {
    const words = tokens.slice(at, at + size)
    const folded = words.map((token) => token.folded).join(' ')
    const found = [forms?.exact(folded) ?? [], english.exact(folded)].find((aspects) => aspects.length > 0)
    if (found === undefined) continue
    const text = words.map((token) => token.text).join(' ')
    return { size, mention: { text, folded, aspects: found, surety: SURE.known } }
  }
  return undefined
}

function readRun(
  forms: Forms | undefined,
  deny: ReadonlySet<string>,
  run: string,
  deniedBefore: boolean,
  mentions: Mention[],
): boolean {
  let denied = deniedBefore
  for (let at = 0; at < run.length;) {
    const negator = [4, 3, 2, 1].find((size) => deny.has(run.slice(at, at + size)))
    const found = forms?.longest(run, at)
    if (negator !== undefined && (found === undefined || found.size <= negator)) {
      // Chinese denies before the word, Japanese after it.
      const last = mentions.at(-1)
      if (/^(?:ない|なし|ず|ぬ)/.test(run.slice(at)) && last !== undefined)
        mentions[mentions.length - 1] = { ...last, denied: true }
      else denied = true
      at += negator
      continue
    }
    if (found === undefined || (found.size === 1 && isPartOfAWord(run, at))) {
      at++
      continue
    }
    const text = run.slice(at, at + found.size)
    const surety = found.size === 1 ? SURE.near : SURE.known
    mentions.push({ text, folded: text, aspects: found.aspects, surety, denied })
    denied = false
    at += found.size
  }
  return denied
}

/** In Japanese a lone sign is a word only before a particle: 犬を is a dog, 空いて is no sky. */
function isPartOfAWord(run: string, at: number): boolean {
  const next = run[at + 1]
  return /[\u3040-\u30ff]/.test(run) && next !== undefined && !'をがのにはとでへもや'.includes(next)
}
