import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { draw } from './chart.ts'
import type { Chart } from './chart.ts'
import { FIGURES, plots } from './plot.ts'

test('every picture in docs/figures is what the script draws from the figures beside it', () => {
  const drawn = plots()
  expect(
    readdirSync(FIGURES)
      .filter((name) => name.endsWith('.svg'))
      .toSorted(),
  ).toEqual([...drawn.keys()].toSorted())
  for (const [name, svg] of drawn) expect(readFileSync(`${FIGURES}${name}`, 'utf8'), name).toBe(svg)
})

const CHART: Chart = {
  title: 'Bread & butter',
  about: 'today',
  x: { label: 'loaves', scale: 'linear' },
  y: { label: 'minutes', scale: 'log' },
  lines: [
    {
      name: 'rye',
      points: [
        [1, 10],
        [2, 100],
        [4, 1000],
      ],
    },
    {
      name: 'wheat',
      points: [
        [1, 10],
        [2, 100],
        [4, 999],
      ],
    },
  ],
}

test('on a scale of powers equal factors are equal distances', () => {
  const [, path = ''] = /class="line l0" d="([^"]+)"/.exec(draw(CHART)) ?? []
  const ys = [...path.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
  const [first = 0, second = 0, third = 0] = ys
  expect(first - second).toBeCloseTo(second - third, 0)
  expect(first).toBeGreaterThan(third)
})

test('the names of lines that end in one place do not cover each other', () => {
  const at = [...draw(CHART).matchAll(/<text x="572" y="([\d.]+)"/g)].map(([, y]) => Number(y))
  expect(Math.abs((at[0] ?? 0) - (at[1] ?? 0))).toBeGreaterThanOrEqual(17)
})

test('words are escaped, and a dark page is answered with a dark picture', () => {
  const svg = draw(CHART)
  expect(svg).toContain('Bread &amp; butter')
  expect(svg).toContain('prefers-color-scheme:dark')
})
