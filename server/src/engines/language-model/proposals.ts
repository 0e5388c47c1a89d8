/**
 * Reads names from a model's reply while it is being written.
 *
 * The prompt asks for a list, one name per line: `- Mayfly`, or `- Hanagoyomi (花暦): a calendar of flowers`. Models
 * also number their lines, set names in bold, or write JSON; all of these are read. Text around the list is ignored.
 *
 * Only names by grammar come out: up to three words of Latin letters. This protects against prompt injection in a
 * description: no URL, markup, digit or sentence is a name. A reason is plain text of one line. Quality, content rules
 * and availability are checked later, together with all other names.
 */
import type { NameProposal } from '@namewright/names'

export interface ProposalReader {
  /** Adds text to the reply. Returns the proposals that it completed. */
  add(text: string): NameProposal[]
  /** The reply has ended: returns the proposal of a last line without a line break. */
  end(): NameProposal[]
  /** Whether the reply had a list, with or without names. */
  readonly hasList: boolean
  readonly hasText: boolean
}

const WORDS = /^\p{Script=Latin}+(?: \p{Script=Latin}+){0,2}$/u
// One script beside Latin, as people write a name in it.
const NATIVE = /^[\p{L}\p{M}\p{N} ・ー'’-]{1,20}$/u
const REASON = /^[\p{L}\p{M}\p{N} .,;:!?+&%'"’“”«»()/–—、。，・-]{1,120}$/u
const LINK = /:\/\/|www\.|[\p{L}\p{N}]\.[\p{L}]{2,}/u
const MAX_CHARACTERS = 30
// Longer lines are no list of names. Without a limit an endless line would be kept in memory.
const MAX_LINE_LENGTH = 400
const THOUGHTS = /^\s*<think>[\s\S]*?(?:<\/think>|$)/

export function createProposalReader(most: number): ProposalReader {
  const seen = new Set<string>()
  let text = ''
  const json = createJsonReader()
  let isJson: boolean | undefined
  let isThinking: boolean | undefined
  let hasList = false
  let hasText = false

  function accept(found: readonly FoundText[]): NameProposal[] {
    if (found.length > 0) hasList = true
    return found.flatMap((one) => {
      const proposal = proposalOf(one)
      const key = proposal?.name.toLowerCase() ?? ''
      if (!proposal || seen.has(key) || seen.size >= most) return []
      seen.add(key)
      return [proposal]
    })
  }

  function read(isEnd: boolean): NameProposal[] {
    if (!skipThoughts()) return []
    // As long as it could be either, all of it is read again.
    isJson ??= formOf(text) ?? (text.length > MAX_LINE_LENGTH ? false : undefined)
    if (isJson === undefined) return []
    if (isJson) {
      const { found, rest } = json.read(text)
      text = rest.slice(-MAX_LINE_LENGTH)
      return accept(isEnd ? [...found, ...json.end()] : found)
    }
    const lines = text.split(/\r?\n/)
    text = (isEnd ? '' : (lines.pop() ?? '')).slice(0, MAX_LINE_LENGTH)
    return accept(lines.flatMap((line) => lineOf(line) ?? []))
  }

  /** Some servers write what a model thinks into its reply. False while it still thinks. */
  function skipThoughts(): boolean {
    if (isThinking === undefined && text.trimStart().length >= '<think>'.length) {
      isThinking = text.trimStart().startsWith('<think>')
    }
    if (isThinking !== true) return isThinking === false || !'<think>'.startsWith(text.trimStart())
    if (!text.includes('</think>')) {
      text = `<think>${text.slice(-'</think>'.length)}`
      return false
    }
    text = text.replace(THOUGHTS, '')
    isThinking = false
    return true
  }

  return {
    add(more) {
      hasText ||= /\S/.test(more)
      text += text === '' ? more.trimStart() : more
      return read(false)
    },
    end: () => read(true),
    get hasList() {
      return hasList
    },
    get hasText() {
      return hasText
    },
  }
}

interface FoundText {
  readonly name: string
  readonly native?: string | undefined
  readonly reason?: string | undefined
}

const ITEM = /^\s{0,20}(?:[-*•]|\d{1,3}[.)])\s/
const BEFORE_REASON = [': ', '：', ' - ', ' – ', ' — ']

/** `- **Mayfly** (…): reason`. Undefined for a line that is not of the list. */
function lineOf(line: string): FoundText | undefined {
  if (line.length > MAX_LINE_LENGTH || !ITEM.test(line)) return undefined
  const item = line.replace(ITEM, '').replaceAll(/[*`]/g, '').replaceAll(/\s+/g, ' ').trim()
  const separator = BEFORE_REASON.map((text) => ({ text, at: item.indexOf(text) }))
    .filter(({ at }) => at > 0)
    .toSorted((a, b) => a.at - b.at)[0]
  const written = (separator ? item.slice(0, separator.at) : item).trim()
  const reason = separator && item.slice(separator.at + separator.text.length)
  const bracket = /[(（]/.exec(written)?.index
  if (bracket === undefined || !/[)）]$/.test(written)) return { name: written, reason }
  return { name: written.slice(0, bracket).trim(), native: written.slice(bracket + 1, -1), reason }
}

/** True for JSON, false for lines; undefined while it could be either. */
function formOf(text: string): boolean | undefined {
  const body = text.trimStart().replace(/^```(?:json)?\s*/, '')
  if (body === '' || /^\s*`{1,3}[json]{0,4}$/.test(text)) return undefined
  return body.startsWith('[') || body.startsWith('{')
}

/** The complete strings of JSON text with the character after each, and where the text that is not read yet begins. */
function stringsOf(text: string): { strings: { raw: string; after: string }[]; end: number } {
  const strings: { raw: string; after: string }[] = []
  let end = 0
  for (let open = text.indexOf('"'); open >= 0; open = text.indexOf('"', end)) {
    let close = open + 1
    while (close < text.length && text[close] !== '"') close += text[close] === '\\' ? 2 : 1
    let after = close + 1
    while (after < text.length && BLANK.has(text[after] ?? '')) after++
    if (after >= text.length) return { strings, end: open }
    if (AFTER.has(text[after] ?? '')) strings.push({ raw: text.slice(open + 1, close), after: text[after] ?? '' })
    end = close + 1
  }
  return { strings, end }
}

const BLANK: ReadonlySet<string> = new Set([' ', '\n', '\r', '\t'])
const AFTER: ReadonlySet<string> = new Set([':', ',', ']', '}'])
const OF_A_NAME: ReadonlySet<string> = new Set(['reason', 'native'])

/** Reads the strings of JSON text as it arrives; `reason` and `native` belong to the name before them. */
function createJsonReader() {
  let key = ''
  let open: FoundText | undefined
  const end = (): FoundText[] => {
    const last = open
    open = undefined
    return last ? [last] : []
  }
  return {
    end,
    read(text: string): { found: FoundText[]; rest: string } {
      const found: FoundText[] = []
      const { strings, end: read } = stringsOf(text)
      for (const { raw, after } of strings) {
        if (after === ':') {
          key = raw
          continue
        }
        if (OF_A_NAME.has(key) && open) open = { ...open, [key]: unescape(raw) }
        else if (!OF_A_NAME.has(key)) {
          found.push(...end())
          open = { name: unescape(raw) }
        }
        // In an object more may follow; in a list of strings nothing does.
        if (after === '}' || key === '' || key === 'names') found.push(...end())
        if (key !== 'names') key = ''
      }
      return { found, rest: text.slice(read) }
    },
  }
}

function unescape(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return ''
  }
}

function proposalOf({ name, native, reason }: FoundText): NameProposal | undefined {
  if (name.length > 2 * MAX_CHARACTERS) return undefined
  const written = name.normalize('NFC').trim().replace(/ +/g, ' ')
  if (written.length > MAX_CHARACTERS || !WORDS.test(written)) return undefined
  const own = native?.normalize('NFC').trim()
  const why = reason?.normalize('NFC').trim().replace(/ +/g, ' ')
  return {
    name: written,
    ...(own !== undefined && NATIVE.test(own) && /\p{L}/u.test(own) && !/\p{Script=Latin}/u.test(own)
      ? { native: own }
      : {}),
    ...(why !== undefined && REASON.test(why) && !LINK.test(why) ? { reason: why } : {}),
  }
}
