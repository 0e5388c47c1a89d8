/**
 * What this browser remembers for its reader: looks, language, currency, keys. Nothing here is a secret, and nothing is
 * lost with it that the account has.
 */
import { useSyncExternalStore } from 'react'

export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  readonly contrast: 'system' | 'more'
  readonly motion: 'system' | 'less'
  readonly density: 'roomy' | 'close'
  /** Results as cards, or as a grid of names and suffixes. */
  readonly view: 'cards' | 'grid'
  /** Single keys such as `f` do something. */
  readonly shortcuts: boolean
  /** Empty: as the account or the browser says. */
  readonly language: string
  readonly currency: string
  /** The account that is looked at; empty is the reader's own. */
  readonly account: string
}

const DEFAULTS: Preferences = {
  theme: 'system',
  contrast: 'system',
  motion: 'system',
  density: 'roomy',
  view: 'cards',
  shortcuts: true,
  language: '',
  currency: '',
  account: '',
}
const KEY = 'namewright.preferences'

const listeners = new Set<() => void>()
let current = read()

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) }
  } catch {
    return DEFAULTS
  }
}

// Another tab has changed something.
addEventListener('storage', ({ key }) => {
  if (key !== KEY) return
  current = read()
  for (const listener of listeners) listener()
})

export const getPreferences = (): Preferences => current

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Full or forbidden: it holds until the page is closed.
  }
  for (const listener of listeners) listener()
}

export function onPreferences(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, getPreferences)
}

/** On the root element, where the styles look. */
export function showPreferences(): void {
  const { theme, contrast, motion, density } = current
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const { dataset } = document.documentElement
  dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
  dataset['contrast'] = contrast
  dataset['motion'] = motion
  dataset['density'] = density
  if (theme === 'system') dark.addEventListener('change', showPreferences, { once: true })
}
