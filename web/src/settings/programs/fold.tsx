/** Something that most do not need, folded away under its name. It opens by itself when something in it is wrong. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'

export function Fold({
  title,
  summary,
  isWrong = false,
  children,
}: {
  readonly title: string
  readonly summary?: string
  readonly isWrong?: boolean
  readonly children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    // Once it has opened it stays so until the reader closes it: what is being mended must not disappear.
    <details
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group rounded-md border border-line"
    >
      <summary className="flex min-h-11 list-none items-center gap-3 rounded-md px-3 py-2 [&::-webkit-details-marker]:hidden">
        <Icon name="down" size={18} className="text-faint transition-transform group-open:rotate-180" />
        <span>
          <span className="block font-medium">{title}</span>
          {summary !== undefined && <span className="block text-sm text-faint group-open:hidden">{summary}</span>}
        </span>
      </summary>
      <div className="border-t border-line p-4">{children}</div>
    </details>
  )
}
