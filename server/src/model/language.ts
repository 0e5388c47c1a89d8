/** The languages that have texts, and the best match for a requested language. */
export const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt-BR', 'it', 'ru', 'ja', 'zh-Hans', 'ko', 'tr', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** `pt-PT` finds pt-BR and `zh-CN` finds zh-Hans: the nearest available variant of the same language. */
export function matchLanguage(tag: string): Language | undefined {
  const wanted = tag.toLowerCase()
  const exact = LANGUAGES.find((language) => language.toLowerCase() === wanted)
  return exact ?? LANGUAGES.find((language) => language.split('-')[0] === wanted.split('-')[0])
}
