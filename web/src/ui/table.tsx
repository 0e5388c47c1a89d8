/** Rows and columns that scroll sideways by themselves on a narrow screen, and can be scrolled by keyboard. */
import type { ReactNode } from 'react'

export function Table({
  caption,
  head,
  numeric = [],
  children,
}: {
  readonly caption: string
  readonly head: readonly ReactNode[]
  /** Columns of numbers, whose digits stand below each other; their cells say `text-end tabular-nums`. */
  readonly numeric?: readonly number[]
  /** `<tr>`s. */
  readonly children: ReactNode
}) {
  return (
    <div
      role="region"
      aria-label={caption}
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg border border-line bg-card"
    >
      <table className="w-full border-collapse text-start text-[0.95rem] wrap-normal">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b border-line text-sm text-faint">
          <tr>
            {head.map((cell, index) => (
              <th
                key={index}
                scope="col"
                className={`px-4 py-3 font-medium ${numeric.includes(index) ? 'text-end' : 'text-start'}`}
              >
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line [&_td]:px-4 [&_td]:py-3 [&_td]:align-top">{children}</tbody>
      </table>
    </div>
  )
}
