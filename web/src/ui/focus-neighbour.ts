/**
 * Before something leaves a list: the focus moves to what follows it, else to what precedes it, else to the list, so that
 * nobody is thrown to the top of the page.
 */
export function focusNeighbour(list: HTMLElement | null, leaving: string, each: string): void {
  const all = [...(list?.querySelectorAll<HTMLElement>(each) ?? [])]
  const at = all.findIndex((element) => element.matches(leaving))
  const next = all[at + 1] ?? all[at - 1] ?? list
  next?.focus()
}
