import { expect, test } from 'vitest'
import { drawThing, initialOf, SIZES, THINGS } from './draw.ts'

const DRAWN = {
  name: 'Quill & <Co>',
  domain: 'quill.com',
  face: { family: 'Fraunces', weight: 600, spacing: -0.02, files: [] },
  rules: "@font-face{font-family:'Fraunces'}",
  ems: { name: 6, initial: 0.7 },
}

test.each(THINGS)('the %s is an SVG of its own size, with the face in it and the name escaped', (thing) => {
  const text = drawThing(thing, DRAWN)
  const [width, height] = SIZES[thing]
  expect(text).toContain(`width="${width}" height="${height}"`)
  expect(text).toContain('<style>@font-face')
  expect(text).toContain('<title>Quill &amp; &lt;Co&gt;</title>')
  expect(text).not.toContain('<Co>')
  expect(text.match(/<text /g)?.length ?? 0).toBeGreaterThan(0)
  // The same every time, wherever it is drawn.
  expect(drawThing(thing, DRAWN)).toBe(text)
})

test('a name fits into its place, however long it is', () => {
  const sizeOf = (ems: number) =>
    Number(/font-size="([\d.]+)"/.exec(drawThing('sign', { ...DRAWN, ems: { name: ems, initial: 1 } }))?.[1])
  expect(sizeOf(2)).toBe(104)
  expect(sizeOf(20) * 20).toBeLessThanOrEqual(640)
})

test('an initial is the first letter, whatever it is made of', () => {
  expect(['éclair', '面包', '𝒳yz', ' mayfly'].map(initialOf)).toEqual(['É', '面', '𝒳', 'M'])
})
