/** Which keys do something. */
import type { TextId } from '../i18n/i18n.ts'

/** In the order in which the help lists them. */
export const KEYS: readonly { readonly keys: readonly string[]; readonly does: TextId }[] = [
  { keys: ['/'], does: 'shortcuts.search' },
  { keys: ['↑', '↓', '←', '→'], does: 'shortcuts.arrows' },
  { keys: ['f'], does: 'shortcuts.heart' },
  { keys: ['c'], does: 'shortcuts.compare' },
  { keys: ['x'], does: 'shortcuts.export' },
  { keys: ['Ctrl', 'Z'], does: 'shell.undo' },
  { keys: ['?'], does: 'shortcuts.help' },
  { keys: ['Esc'], does: 'shortcuts.leave' },
]
