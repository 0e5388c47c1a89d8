/** The language of a text that the service wrote, as far as its letters tell. Pure. */

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  'zh-Hans': /\p{Script=Han}/u,
}

/** English, if the page's language has letters of its own and the text has none of them; else unknown. */
export function languageOf(text: string, pageLanguage: string): 'en' | undefined {
  const script = SCRIPTS[pageLanguage]
  return script === undefined || script.test(text) || !/\p{Script=Latin}/u.test(text) ? undefined : 'en'
}
