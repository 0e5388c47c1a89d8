/**
 * Bars by day, one series on the other, drawn by uPlot on a canvas. This file and uPlot with it are fetched when a chart is
 * first shown.
 *
 * uPlot knows no stacks: each series is drawn as high as it and all below it together, the highest first, so that every
 * next one covers all but the part of the one before.
 */
import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import type { Series } from './series.ts'

export interface Drawing {
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** As the page resolves them now, one for each series. */
  readonly colors: readonly string[]
  readonly ink: string
  readonly line: string
  readonly dayText: (day: string) => string
  readonly numberText: (value: number) => string
  /** The day under the pointer, by its place; null when there is none. */
  readonly onPoint: (at: number | null) => void
}

export const HEIGHT = 240
const HALF_DAY = 43_200
const FONT = '13px system-ui, sans-serif'

export function draw(into: HTMLElement, drawing: Drawing): { setWidth(width: number): void; destroy(): void } {
  const { days, series, colors, ink, line, dayText, numberText, onPoint } = drawing
  const seconds = days.map((day) => Date.parse(day) / 1000)
  const stacks = stacksOf(series).toReversed()
  const bars = UPlot.paths.bars?.({ size: [0.72, 44] })
  const axis = { stroke: ink, font: FONT, grid: { stroke: line, width: 1 }, ticks: { show: false } }
  const plot = new UPlot(
    {
      width: into.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { points: { show: false }, drag: { x: false, y: false }, y: false },
      scales: {
        x: { time: true, range: [(seconds[0] ?? 0) - HALF_DAY, (seconds.at(-1) ?? 0) + HALF_DAY] },
        y: { range: (_, __, most) => [0, Math.max(4, most * 1.05)] },
      },
      tzDate: (at) => UPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 30,
          space: 64,
          splits: (_, __, least, most, step) => splitsOf(seconds, least, most, step),
          values: (_, splits) => splits.map((at) => dayText(new Date(at * 1000).toISOString().slice(0, 10))),
        },
        { ...axis, size: 52, incrs: WHOLE, values: (_, splits) => splits.map((value) => numberText(value)) },
      ],
      series: [
        {},
        ...stacks.map((_, at) => {
          const color = colors[stacks.length - 1 - at] ?? ink
          return { fill: color, stroke: color, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }
        }),
      ],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [seconds, ...stacks],
    into,
  )
  return {
    setWidth: (width) => plot.setSize({ width, height: HEIGHT }),
    destroy: () => plot.destroy(),
  }
}

// Requests and names are counted whole.
const WHOLE = [1, 2, 5]
  .flatMap((digit) => [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7].map((power) => digit * power))
  .toSorted((one, other) => one - other)

/** Each as high as it and all before it together. */
function stacksOf(series: readonly Series[]): number[][] {
  const stacks: number[][] = []
  for (const { values } of series) {
    const below = stacks.at(-1)
    stacks.push(values.map((value, at) => value + (below?.[at] ?? 0)))
  }
  return stacks
}

/** Only days have a label, as many of them as there is room for. */
function splitsOf(seconds: readonly number[], least: number, most: number, step: number): number[] {
  const every = Math.max(1, Math.ceil(step / 86_400))
  const within = seconds.filter((at) => at >= least && at <= most)
  // From the newest backwards: today always has its label.
  return within.filter((_, at) => (within.length - 1 - at) % every === 0)
}
