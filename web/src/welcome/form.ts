/** What a form says, and what is wrong with it before anybody is asked. */
import type { FormEvent } from 'react'

// A mail server is the judge of an address; this only catches what cannot be one.
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const isAddress = (text: string): boolean => ADDRESS.test(text) && text.length <= 254

/** The fields by name, as typed. */
export function fieldsOf(event: FormEvent<HTMLFormElement>): (name: string) => string {
  const form = new FormData(event.currentTarget)
  return (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
}

/** Takes the reader to what has to be mended; the browser has drawn it by then. */
export function focusWrong(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
