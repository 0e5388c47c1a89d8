/**
 * The keys for the result at hand: `f` keeps it, `c` puts it into the tray. At hand is the one with the focus in it, else
 * the first that can be seen. Results are marked by `data-result`, with their name.
 *
 * What is kept is the domain in the focused cell (`data-domain`), else the one that the result's own heart stands for,
 * else its best.
 */
import { useHearting } from '../search/actions/use-heart.ts'
import { toggleCompared } from '../search/compare/compared.ts'
import { bestOf } from '../search/result.ts'
import type { Result } from '../search/result.ts'
import { useShortcut } from './shortcuts.tsx'

export function useResultKeys(results: readonly Result[]): void {
  const toggleHeart = useHearting()
  const find = (element: HTMLElement | undefined) => results.find(({ name }) => name === element?.dataset['result'])
  useShortcut('f', () => {
    const element = resultAtHand()
    const result = find(element)
    if (!element || !result) return
    const cell = document.activeElement?.closest<HTMLElement>('[data-domain]')?.dataset['domain']
    const chosen = cell ?? element.querySelector<HTMLElement>('[data-heart]')?.dataset['heart']
    const domain = result.domains.find((one) => one.domain === chosen) ?? bestOf(result)
    if (domain) toggleHeart(result.name, domain)
  })
  useShortcut('c', () => {
    const result = find(resultAtHand())
    if (result) toggleCompared(result)
  })
}

function resultAtHand(): HTMLElement | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('[data-result]')
  return focused ?? [...document.querySelectorAll<HTMLElement>('[data-result]')].find(isInView)
}

function isInView(element: HTMLElement): boolean {
  const { top, bottom, height } = element.getBoundingClientRect()
  return height > 0 && bottom > 0 && top < innerHeight
}
