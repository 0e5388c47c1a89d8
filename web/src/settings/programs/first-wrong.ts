/** After a refusal, the first invalid field gets the focus, so that screen readers announce its error. */
import { NamewrightError } from '@namewright/client'
import { useEffect } from 'react'
import type { RefObject } from 'react'

/** The fields say it themselves. */
export function isFieldFault(error: unknown): boolean {
  return error instanceof NamewrightError && error.errors.length > 0
}

export function useFirstWrong(form: RefObject<HTMLElement | null>, error: unknown): void {
  useEffect(() => {
    if (isFieldFault(error)) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, error])
}
