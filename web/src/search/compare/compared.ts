/** The names that are put side by side: at most six, in this tab, also after a reload. */
import { say } from '../../i18n/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { showToast } from '../../ui/toast.tsx'
import { createKeptStore, useStore } from '../../store.ts'
import type { Result } from '../result.ts'
import { COMPARED_KEY } from './has-compared.ts'

/** As many as fit beside each other on a wide screen. */
export const MOST_COMPARED = 6

const compared = createKeptStore<readonly Result[]>({
  key: COMPARED_KEY,
  storage: 'sessionStorage',
  parse: (stored) => (Array.isArray(stored) ? stored.filter(isResult).slice(0, MOST_COMPARED) : []),
})

function isResult(value: unknown): value is Result {
  if (typeof value !== 'object' || value === null) return false
  const { name, domains } = value as Partial<Record<keyof Result, unknown>>
  return typeof name === 'string' && Array.isArray(domains)
}

export function useCompared(): readonly Result[] {
  return useStore(compared)
}

export const isCompared = (all: readonly Result[], { name }: { readonly name: string }): boolean =>
  all.some((one) => one.name === name)

/** Puts it into the tray, or takes it out. */
export function toggleCompared(result: Result): void {
  const { name } = result
  const before = compared.get()
  if (isCompared(before, result)) {
    compared.change((all) => all.filter((one) => one.name !== name))
    announce(say('compare.takenOut', { name }))
  } else if (before.length >= MOST_COMPARED) {
    showToast({ text: say('compare.full', { most: MOST_COMPARED }) })
  } else {
    compared.change((all) => [...all, result])
    announce(say('compare.putIn', { name, count: before.length + 1, most: MOST_COMPARED }))
  }
}

/** Takes one out, or all of them; can be undone. */
export function takeOut(result?: Result): void {
  const before = compared.get()
  compared.change((all) => (result ? all.filter(({ name }) => name !== result.name) : []))
  const text = result ? say('compare.takenOut', { name: result.name }) : say('compare.cleared')
  showToast({ text, onUndo: () => compared.change(() => before) })
}
