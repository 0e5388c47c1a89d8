/** A press of a key is meant for a field, or for a list that is open, and not for the page. */
const FIELDS = 'input, textarea, select, [role=menu], [role=listbox], [role=combobox], [role=textbox]'

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS) !== null)
}
