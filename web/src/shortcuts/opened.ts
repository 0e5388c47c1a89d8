/** Whether the list of keys is open. */
import { createStore } from '../store.ts'

export const helpOpened = createStore(false)

export const openShortcutHelp = (): void => helpOpened.change(() => true)
export const closeShortcutHelp = (): void => helpOpened.change(() => false)
