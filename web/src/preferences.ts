/**
 * What this browser stores for the person: appearance, language, currency, keys. Nothing here is a secret, and nothing is
 * lost with it that the account has.
 */
import { createKeptStore, useStore } from './store.ts'

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
  /** The current account; empty is the person's own. */
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

const store = createKeptStore<Preferences>({
  key: 'namewright.preferences',
  storage: 'localStorage',
  parse: (stored) => ({ ...DEFAULTS, ...(stored as Partial<Preferences> | undefined) }),
})

export const getPreferences = store.get
export const onPreferences = store.subscribe
export const setPreferences = (change: Partial<Preferences>): void => store.change((now) => ({ ...now, ...change }))
export const usePreferences = (): Preferences => useStore(store)

/** On the root element, where the styles look. */
export function showPreferences(): void {
  const { theme, contrast, motion, density } = store.get()
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const { dataset } = document.documentElement
  dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
  dataset['contrast'] = contrast
  dataset['motion'] = motion
  dataset['density'] = density
  if (theme === 'system') dark.addEventListener('change', showPreferences, { once: true })
}
