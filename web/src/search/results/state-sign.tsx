/** The sign of a state. It never stands alone: its word is next to it, or available to screen readers. */
import type { CellState } from '../result.ts'

export type ShownState = CellState | 'checking'

// All of one kind, so that a cell of the grid that is used again changes a few attributes only.
const SHAPES: Readonly<Record<ShownState, React.SVGAttributes<SVGPathElement>>> = {
  free: { d: 'M3 8.500l3.300 3.300L13 4.700', strokeWidth: 2.2 },
  taken: { d: 'M3.800 8a4.200 4.200 0 1 0 8.400 0 4.200 4.200 0 1 0-8.400 0', fill: 'currentColor', stroke: 'none' },
  premium: { d: 'M8 2l5.500 6L8 14 2.500 8z', fill: 'currentColor', stroke: 'none' },
  sale: { d: 'M2.500 5.500h9M9 3l2.700 2.500L9 8M13.500 10.500h-9M7 8l-2.700 2.500L7 13', strokeWidth: 1.6 },
  unknown: { d: 'M5.500 6a2.500 2.500 0 1 1 3.600 2.300c-.8.400-1.100.800-1.100 1.700M8 12.800h.01', strokeWidth: 1.9 },
  checking: {
    d: 'M3.800 8a4.200 4.200 0 1 0 8.400 0 4.200 4.200 0 1 0-8.400 0',
    strokeWidth: 1.6,
    strokeDasharray: '3 2.300',
  },
}

export function StateSign({
  state,
  size = 16,
  className = 'shrink-0',
}: {
  readonly state: ShownState
  readonly size?: number
  readonly className?: string
}) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
    >
      <path {...SHAPES[state]} />
    </svg>
  )
}
