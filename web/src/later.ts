/**
 * What comes after the first load: a part of the page that is fetched when it is first needed, together with its texts,
 * styles and signs. Whatever the first load opens goes through here; inside such a part a plain `lazy` is enough.
 */
import { lazy } from 'react'
import type { ComponentType } from 'react'
import { needTexts } from './i18n/i18n.ts'

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

/** For what a page is whole without: it is left out where it cannot be fetched. */
export const lazyExtra = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    try {
      return await load()
    } catch {
      return { default: (): null => null }
    }
  })
