/** Which of the dialogs that a key opens is open. */
import { createStore } from '../store.ts'

export const openedDialog = createStore<'help' | 'palette' | undefined>(undefined)

export const openShortcutHelp = (): void => openedDialog.change(() => 'help')
export const closeShortcutDialog = (): void => openedDialog.change(() => undefined)
