/**
 * What comes after the first load: a part of the page that is fetched when it is first needed, together with its texts,
 * styles and signs. Whatever the first load opens goes through here; inside such a part a plain `lazy` is enough.
 */
import { lazy, useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { needTexts } from './i18n/i18n.ts'
import { createStore, useStore } from './store.ts'
import type { Store } from './store.ts'

const loadKit = () => import('./later-kit.ts')

/** A part of the search page or of the frame around every page. */
export async function loadPart<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [loaded] = await Promise.all([load(), loadKit(), needTexts('search')])
  return loaded
}

/** Any other page. */
export async function loadView<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [loaded] = await Promise.all([load(), loadKit(), needTexts('search', 'rest')])
  return loaded
}

export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => loadPart(load))

/**
 * A part that is drawn in the moment in which it is there. `lazy` suspends even when it is, and React keeps a fallback that
 * it has shown for 300 ms.
 */
export interface Part<Loaded> {
  readonly load: () => Promise<Loaded>
  readonly store: Store<Loaded | undefined>
}

export function openPart<Loaded>(load: () => Promise<Loaded>): Part<Loaded> {
  const store = createStore<Loaded | undefined>(undefined)
  return {
    store,
    async load() {
      const known = store.get()
      if (known) return known
      const loaded = await load()
      store.change(() => loaded)
      return loaded
    },
  }
}

/** Undefined until it is there. */
export function usePart<Loaded>({ load, store }: Part<Loaded>, isNeeded: boolean): Loaded | undefined {
  const loaded = useStore(store)
  const [failure, setFailure] = useState<{ readonly error: unknown }>()
  useEffect(() => {
    if (isNeeded) load().catch((error: unknown) => setFailure({ error }))
  }, [isNeeded, load])
  if (failure) throw failure.error
  return loaded
}

/** For what a page is whole without: it is left out where it cannot be fetched. */
export const lazyExtra = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    try {
      return await load()
    } catch {
      return { default: (): null => null }
    }
  })
