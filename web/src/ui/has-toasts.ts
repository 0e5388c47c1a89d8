/**
 * Whether anything on the page can show a toast. Nothing of the first load can; the live region of toasts is there as soon
 * as something that can is.
 */
import { createStore, useStore } from '../store.ts'

const hasToasts = createStore(false)

export const needToasts = (): void => hasToasts.change(() => true)
export const useHasToasts = (): boolean => useStore(hasToasts)
