/** The sign of a state. It never stands alone: its word is next to it, or available to screen readers. */
import type { CellState } from '../result.ts'

export type ShownState = CellState | 'checking'

const SHAPES: Readonly<Record<ShownState, React.ReactNode>> = {
  free: <path d="M3 8.500l3.300 3.300L13 4.700" fill="none" strokeWidth="2.200" />,
  taken: <circle cx="8" cy="8" r="4.200" fill="currentColor" stroke="none" />,
  premium: <path d="M8 2l5.500 6L8 14 2.500 8z" fill="currentColor" stroke="none" />,
  sale: (
    <path
      d="M2.500 5.500h9M9 3l2.700 2.500L9 8M13.500 10.500h-9M7 8l-2.700 2.500L7 13"
      fill="none"
      strokeWidth="1.600"
    />
  ),
  unknown: (
    <path
      d="M5.500 6a2.500 2.500 0 1 1 3.600 2.300c-.8.400-1.100.800-1.100 1.700M8 12.800h.01"
      fill="none"
      strokeWidth="1.900"
    />
  ),
  checking: <circle cx="8" cy="8" r="4.200" fill="none" strokeWidth="1.600" strokeDasharray="3 2.300" />,
}

export function StateSign({ state, size = 16 }: { readonly state: ShownState; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      {SHAPES[state]}
    </svg>
  )
}
