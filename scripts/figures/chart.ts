/**
 * A line chart as plain SVG: axes, marks, a name at the end of every line. It brings its own background and follows the
 * reader's choice of light or dark; lines differ by mark and dash as well as by colour.
 */
export interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Chart {
  readonly title: string
  /** Under the title: when and where. */
  readonly about: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly Line[]
}

export interface Axis {
  readonly label: string
  readonly scale: 'linear' | 'log'
}

const [WIDTH, HEIGHT] = [760, 420]
// The right margin holds the names of the lines.
const PLOT = { left: 84, top: 68, right: 560, bottom: 356 }
const NAME_HEIGHT = 17
const HUES = [
  { light: '#0b5fb0', dark: '#7ab8ff', dash: '' },
  { light: '#a33a00', dark: '#ffab70', dash: '7 4' },
  { light: '#1b6e2c', dark: '#7fdc95', dash: '2 3' },
  { light: '#6b2fa0', dark: '#cfa6ff', dash: '10 3 2 3' },
]

export function draw({ title, about, x, y, lines }: Chart): string {
  const all = lines.flatMap(({ points }) => points)
  const across = scaleOf(
    x,
    all.map(([value]) => value),
    [PLOT.left, PLOT.right],
  )
  const up = scaleOf(
    y,
    all.map(([, value]) => value),
    [PLOT.bottom, PLOT.top],
  )
  const ends = apart(lines.map(({ points }) => up.at(points.at(-1)?.[1] ?? 0)))
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(title)}">`,
    `<style>${style(lines.length)}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    text(PLOT.left, 28, title, 'class="title"'),
    text(PLOT.left, 48, about, 'class="small"'),
    ...up.ticks.map((tick) => horizontal(up.at(tick), tick)),
    ...across.ticks.map((tick) => vertical(across.at(tick), tick)),
    `<path class="axis" d="M${PLOT.left} ${PLOT.top}V${PLOT.bottom}H${PLOT.right}"/>`,
    text((PLOT.left + PLOT.right) / 2, HEIGHT - 18, x.label, 'text-anchor="middle"'),
    text(
      20,
      (PLOT.top + PLOT.bottom) / 2,
      y.label,
      `text-anchor="middle" transform="rotate(-90 20 ${short((PLOT.top + PLOT.bottom) / 2)})"`,
    ),
    ...lines.flatMap(({ name, points }, i) => [
      `<path class="line l${i}" d="${points.map(([px, py], j) => `${j === 0 ? 'M' : 'L'}${short(across.at(px))} ${short(up.at(py))}`).join('')}"/>`,
      ...points.map(([px, py]) => mark(i, across.at(px), up.at(py))),
      text(PLOT.right + 12, (ends[i] ?? 0) + 4, name, `class="n${i}"`),
    ]),
    '</svg>',
  ].join('\n')}\n`
}

function horizontal(y: number, tick: number): string {
  const grid = `<path class="grid" d="M${PLOT.left} ${short(y)}H${PLOT.right}"/>`
  return `${grid}${text(PLOT.left - 8, y + 4, formatNumber(tick), 'text-anchor="end" class="small"')}`
}

function vertical(x: number, tick: number): string {
  const stroke = `<path class="axis" d="M${short(x)} ${PLOT.bottom}v5"/>`
  return `${stroke}${text(x, PLOT.bottom + 20, formatNumber(tick), 'text-anchor="middle" class="small"')}`
}

function mark(i: number, x: number, y: number): string {
  const [cx, cy] = [short(x), short(y)]
  if (i === 0) return `<circle class="m0" cx="${cx}" cy="${cy}" r="4"/>`
  if (i === 1) return `<rect class="m1" x="${short(x - 4)}" y="${short(y - 4)}" width="8" height="8"/>`
  if (i === 2) return `<path class="m2" d="M${cx} ${short(y - 5)}l5 9h-10z"/>`
  return `<path class="m3" d="M${cx} ${short(y - 5)}l5 5l-5 5l-5 -5z"/>`
}

function style(lines: number): string {
  const hues = HUES.slice(0, lines)
  const coloured = (of: 'light' | 'dark') =>
    hues.map((hue, i) => `.l${i}{stroke:${hue[of]}}.m${i},.n${i}{fill:${hue[of]}}`).join('')
  const dashes = hues.map(({ dash }, i) => (dash === '' ? '' : `.l${i}{stroke-dasharray:${dash}}`)).join('')
  return (
    'text{font:13px system-ui,sans-serif;fill:#1d2430}.title{font-size:16px;font-weight:600}.small{font-size:12px;fill:#4a5362}' +
    '.paper{fill:#fff}.grid{stroke:#e1e5eb}.axis{stroke:#4a5362;fill:none}.line{fill:none;stroke-width:2}' +
    `${dashes}${coloured('light')}@media(prefers-color-scheme:dark){text{fill:#e8ebf0}.small{fill:#b3bbc8}.paper{fill:#14181f}` +
    `.grid{stroke:#2c333e}.axis{stroke:#b3bbc8}${coloured('dark')}}`
  )
}

interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
}

function scaleOf({ scale }: Axis, values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const most = Math.max(...values)
  if (scale === 'log') {
    const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(most))]
    const powers = Math.max(1, high - low)
    return {
      ticks: Array.from({ length: powers + 1 }, (_, i) => 10 ** (low + i)),
      at: (value) => from + ((Math.log10(value) - low) / powers) * (to - from),
    }
  }
  const step = roundStep(most / 5)
  const top = Math.ceil(most / step) * step
  return {
    ticks: Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step),
    at: (value) => from + (value / top) * (to - from),
  }
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power
}

/** Names of lines that end close to each other are moved down until each can be read. */
function apart(ys: readonly number[]): number[] {
  const placed: number[] = []
  let last = -Infinity
  for (const i of ys.map((_, index) => index).toSorted((a, b) => (ys[a] ?? 0) - (ys[b] ?? 0))) {
    last = Math.max(ys[i] ?? 0, last + NAME_HEIGHT)
    placed[i] = last
  }
  return placed
}

function formatNumber(value: number): string {
  if (value >= 1e6) return `${short(value / 1e6)} M`
  return value >= 1e4 ? `${short(value / 1e3)} k` : String(Number(value.toPrecision(3)))
}

function text(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${short(x)}" y="${short(y)}" ${attributes}>${escape(words)}</text>`
}

function short(value: number): string {
  return String(Number(value.toFixed(1)))
}

function escape(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
