/**
 * The signs of the app, drawn for it on a 20 × 20 sheet with a stroke of 1.6. They are never alone: a word stands beside
 * them, or the button has a label. Those of the first load are here, the others in `later-paths.ts`.
 */
import type { LATER_PATHS } from './later-paths.ts'

const FIRST_PATHS = {
  search: 'M9 15a6 6 0 1 1 0-12 6 6 0 0 1 0 12zm4.5-1.5L17 17',
  check: 'M4 10.5l4 4 8-9',
  down: 'M5 8l5 5 5-5',
  filter: 'M3 5h14M6 10h8M8.5 15h3',
  eye: 'M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  warn: 'M10 3.500L17.500 16h-15zM10 8.500v3.500M10 14h.01',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.500V13M10 7h.01',
  shield: 'M10 3l6 2v4.500c0 3.600-2.500 6.100-6 7.500-3.500-1.400-6-3.900-6-7.500V5z',
  refresh: 'M16 10a6 6 0 1 1-1.800-4.300M16 3v3.500h-3.500',
} as const

const paths: Record<string, string> = { ...FIRST_PATHS }

export type IconName = keyof typeof FIRST_PATHS | keyof typeof LATER_PATHS

export function addIcons(later: typeof LATER_PATHS): void {
  Object.assign(paths, later)
}

export function Icon({
  name,
  size = 20,
  filled = false,
  className,
}: {
  readonly name: IconName
  readonly size?: number
  readonly filled?: boolean
  readonly className?: string
}) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className ?? ''}`}
    >
      <path d={paths[name]} />
    </svg>
  )
}

export function Mark({ size = 28 }: { readonly size?: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" width={size} height={size} className="shrink-0">
      <rect width="32" height="32" rx="8" fill="var(--color-accent)" />
      <path
        d="M7.5 23V10.500M7.500 15.500c0-3 2.200-5.300 5.200-5.300s5 2.100 5 5.300V23"
        fill="none"
        stroke="var(--color-on-accent)"
        strokeWidth="3.6"
        strokeLinecap="round"
      />
      <circle cx="23.6" cy="22.6" r="2.3" fill="var(--color-on-accent)" />
    </svg>
  )
}
