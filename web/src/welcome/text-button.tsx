/** A button that reads like a link: for the way to another form on the same page. */
import type { ReactNode } from 'react'

export function TextButton({ children, onClick }: { readonly children: ReactNode; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-9 justify-self-center rounded-sm px-1 font-medium text-accent underline-offset-4 hover:underline"
    >
      {children}
    </button>
  )
}
