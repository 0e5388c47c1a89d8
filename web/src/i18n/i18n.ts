/**
 * The texts of the app. A component asks `useText()` for `t`, and writes `t('search.submit')`; a text with markup inside is
 * `<Rich id="…" />`. Ids are keys of `messages/en/*.json`, so a text that does not exist is a type error.
 */
import { setupI18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import type account from '../../messages/en/account.json'
import type handles from '../../messages/en/handles.json'
import type lists from '../../messages/en/lists.json'
import type names from '../../messages/en/names.json'
import type operator from '../../messages/en/operator.json'
import type search from '../../messages/en/search.json'
import type settings from '../../messages/en/settings.json'
import type shell from '../../messages/en/shell.json'
import type tools from '../../messages/en/tools.json'
import type welcome from '../../messages/en/welcome.json'
import { directionOf, loadTexts } from './languages.ts'
import type { Language, Part } from './languages.ts'

export type TextId =
  | keyof typeof account
  | keyof typeof handles
  | keyof typeof lists
  | keyof typeof names
  | keyof typeof operator
  | keyof typeof search
  | keyof typeof settings
  | keyof typeof shell
  | keyof typeof tools
  | keyof typeof welcome

export type Values = Record<string, string | number>
export type Say = (id: TextId, values?: Values) => string

export const i18n = setupI18n()

const parts = new Set<Part>(['first'])
let wanted: Language = 'en'
/** The language that is shown, with the texts of all `parts`; undefined while another one is being fetched. */
let shown: Language | undefined
let turns = 0
let latest = Promise.resolve()
const arriving = new Map<Part, Promise<void>>()

/** Changes every text on the page at once, and the direction of the page with them. */
export function activateLocale(language: Language): Promise<void> {
  wanted = language
  shown = undefined
  latest = show(language, ++turns)
  return latest
}

async function show(language: Language, turn: number): Promise<void> {
  const texts = await Promise.all([...parts].map((part) => loadTexts(language, part)))
  // A newer call requested another language or more texts: wait for that one.
  if (turn !== turns) return latest
  i18n.loadAndActivate({ locale: language, messages: Object.assign({}, ...texts) })
  shown = language
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

/** Before something is shown whose texts were not needed so far. */
export async function needTexts(...needed: readonly Part[]): Promise<void> {
  const missing = needed.filter((part) => !parts.has(part))
  if (missing.length > 0) {
    const adding = addTexts(missing)
    for (const part of missing) arriving.set(part, adding)
  }
  await Promise.all([latest, ...needed.map((part) => arriving.get(part))])
}

async function addTexts(missing: readonly Part[]): Promise<void> {
  for (const part of missing) parts.add(part)
  try {
    const language = shown
    if (language === undefined) return await activateLocale(wanted)
    const texts = await Promise.all(missing.map((part) => loadTexts(language, part)))
    // Another language has come, or is coming, with all parts.
    if (shown !== language) return await latest
    // What is on the page has its texts already: it is not rendered again.
    Object.assign(i18n.messages, ...texts)
  } catch (error) {
    for (const part of missing) parts.delete(part)
    throw error
  } finally {
    for (const part of missing) arriving.delete(part)
  }
}

export function useText(): { t: Say; language: Language; direction: 'ltr' | 'rtl' } {
  const { i18n: current } = useLingui()
  return {
    t: (id, values) => current._(id, values),
    language: current.locale as Language,
    direction: directionOf(current.locale),
  }
}

/** Outside of components: for what is said later, such as a toast. */
export const say: Say = (id, values) => i18n._(id, values)
