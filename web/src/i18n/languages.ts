/** The languages of the app, each by its own name, and how its texts are fetched. */
import type { Messages } from '@lingui/core'
import catalogs from 'virtual:catalogs'

export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'es', name: 'Español' },
  { code: 'de', name: 'Deutsch' },
  { code: 'fr', name: 'Français' },
  { code: 'pt-BR', name: 'Português (Brasil)' },
  { code: 'it', name: 'Italiano' },
  { code: 'ru', name: 'Русский' },
  { code: 'ja', name: '日本語' },
  { code: 'zh-Hans', name: '简体中文' },
  { code: 'ko', name: '한국어' },
  { code: 'tr', name: 'Türkçe' },
  { code: 'ar', name: 'العربية' },
] as const

/** The last is for looking at the app, not for reading it: see catalogs.ts. */
export type Language = (typeof LANGUAGES)[number]['code'] | 'en-XA'

/** What the first screen says, what the results of a search say, and what all other views say. */
export type Part = 'first' | 'search' | 'rest'

export async function loadTexts(language: Language, part: Part): Promise<Messages> {
  return (await catalogs[part][language]?.())?.default ?? {}
}

export const directionOf = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(catalogs.first, text)
}

/** The first wish that we can fulfil; `pt` is pt-BR to us, and `zh-CN` is zh-Hans. */
export function chooseLanguage(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    if (isLanguage(wish)) return wish
    const [base = ''] = wish.toLowerCase().split('-')
    const found = LANGUAGES.find(({ code }) => code.toLowerCase().split('-')[0] === base)
    if (found) return found.code
  }
  return 'en'
}
