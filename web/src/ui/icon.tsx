/**
 * The signs of the app, drawn for it on a 20 × 20 sheet with a stroke of 1.6. They are never alone: a word stands beside
 * them, or the button has a label.
 */
const PATHS = {
  search: 'M9 15a6 6 0 1 1 0-12 6 6 0 0 1 0 12zm4.5-1.5L17 17',
  heart: 'M10 16.5S3.5 12.7 3.5 8.2A3.4 3.4 0 0 1 10 6.6a3.4 3.4 0 0 1 6.5 1.6c0 4.5-6.5 8.3-6.5 8.3z',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  check: 'M4 10.5l4 4 8-9',
  close: 'M5 5l10 10M15 5L5 15',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  menu: 'M3 6h14M3 10h14M3 14h14',
  more: 'M4.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0zM9.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0zM14.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0z',
  down: 'M5 8l5 5 5-5',
  forward: 'M8 5l5 5-5 5',
  external: 'M11 4h5v5M16 4l-7 7M14 11v5H4V6h5',
  speaker: 'M4 8v4h3l4 3V5L7 8zM14 7.5a3.5 3.5 0 0 1 0 5M16 5.5a6.5 6.5 0 0 1 0 9',
  compare: 'M6 4v12M14 4v12M3 8l3-3 3 3M11 12l3 3 3-3',
  share: 'M10 12V3M7 6l3-3 3 3M5 10v6h10v-6',
  download: 'M10 3v9M7 9l3 3 3-3M4 16h12',
  filter: 'M3 5h14M6 10h8M8.5 15h3',
  cards: 'M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z',
  grid: 'M3 4h14v12H3zM3 8h14M3 12h14M8 4v12M13 4v12',
  eye: 'M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1h-13zM8.5 17.5h3',
  key: 'M12.5 10.5a3.5 3.5 0 1 0-3.3-2.3L4 13.4V16h2.6v-2h2v-2l1.6-1.6a3.5 3.5 0 0 0 2.3.1zM13.5 6.5h.01',
  person: 'M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM4 17c.6-3 3-4.6 6-4.6s5.400 1.600 6 4.600',
  people:
    'M7.500 10a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600zM2.500 16.500c.4-2.700 2.400-4.100 5-4.100s4.600 1.400 5 4.100M13 5a2.600 2.600 0 0 1 0 5M14.500 12.600c1.700.5 2.700 1.900 3 3.900',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l2.500 2',
  trash: 'M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6',
  edit: 'M4 16l.8-3.200L13 4.500 15.500 7l-8.300 8.200z',
  undo: 'M4 8h8a4 4 0 0 1 0 8H7M4 8l3.500-3.500M4 8l3.500 3.500',
  warn: 'M10 3.500L17.500 16h-15zM10 8.500v3.500M10 14h.01',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.500V13M10 7h.01',
  shield: 'M10 3l6 2v4.500c0 3.600-2.500 6.100-6 7.500-3.500-1.400-6-3.900-6-7.500V5z',
  gauge: 'M4 15a7 7 0 1 1 12 0M10 12l3-4',
  hook: 'M7 6a3 3 0 1 1 4.500 2.600L9 13M6.500 11A3 3 0 1 0 9 15.500h4.500M13 11.500a3 3 0 1 1-.8 4',
  plug: 'M8 3v4M12 3v4M5.500 7h9v3a4.500 4.500 0 0 1-9 0zM10 14.500V17',
  sun: 'M10 13.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM10 2v2M10 16v2M2 10h2M16 10h2M4.300 4.300l1.400 1.400M14.300 14.300l1.400 1.400M15.700 4.300l-1.400 1.400M5.700 14.300l-1.400 1.400',
  moon: 'M16 11.500A6.500 6.500 0 0 1 8.500 4a6.500 6.500 0 1 0 7.500 7.500z',
  globe:
    'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM3 10h14M10 3c2.200 2 3.200 4.400 3.200 7S12.200 15 10 17c-2.200-2-3.200-4.400-3.200-7S7.800 5 10 3z',
  like: 'M7 9v7H4V9zM7 9l3.200-5.500c1 0 1.800.8 1.600 1.900L11.300 8H16l-1.300 7c-.1.600-.6 1-1.200 1H7',
  unlike: 'M7 11V4H4v7zM7 11l3.200 5.500c1 0 1.800-.8 1.600-1.900L11.300 12H16l-1.300-7c-.1-.600-.6-1-1.200-1H7',
  link: 'M8.500 11.500a3 3 0 0 0 4.200 0l2.600-2.600a3 3 0 0 0-4.200-4.200l-1 1M11.500 8.500a3 3 0 0 0-4.200 0l-2.600 2.600a3 3 0 0 0 4.200 4.200l1-1',
  refresh: 'M16 10a6 6 0 1 1-1.800-4.300M16 3v3.500h-3.500',
  gear: 'M10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM10 2.500v2.300M10 15.200v2.300M2.500 10h2.300M15.200 10h2.300M4.700 4.700l1.600 1.600M13.700 13.700l1.600 1.600M15.300 4.700l-1.600 1.600M6.300 13.700l-1.600 1.600',
  tag: 'M3 3h6.500L17 10.500 10.500 17 3 9.500zM6.500 6.500h.01',
} as const

export type IconName = keyof typeof PATHS

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
      <path d={PATHS[name]} />
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
