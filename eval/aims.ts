/** What the figures should reach. An aim is read beside its figure; nothing fails on it. */

export interface Aim {
  readonly least?: number
  readonly most?: number
}

export const AIMS = {
  relevance: { least: 1 },
  echo: { most: 0.35 },
  form: { most: 0.8 },
  fluency: { least: 30, most: 80 },
  overlap: { most: 0.02 },
  offensive: { most: 0 },
  brands: { most: 0 },
} as const satisfies Record<string, Aim>

/** Written with the letters and many of the words of English. */
export const LATIN_LANGUAGES = ['de', 'es', 'fr', 'pt', 'it', 'nl'] as const
export const OTHER_LANGUAGES = ['zh', 'ja', 'ko', 'ru', 'ar', 'tr', 'hi', 'id', 'pl'] as const

export function parityAim(language: string): Aim {
  return { least: LATIN_LANGUAGES.some((code) => code === language) ? 0.8 : 0.7 }
}

export function isReached(value: number, { least = -Infinity, most = Infinity }: Aim): boolean {
  return value >= least && value <= most
}
