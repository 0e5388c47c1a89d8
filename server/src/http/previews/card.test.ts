/** The images of links, drawn from the typefaces that `pnpm build` has copied. */
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moodOf } from '../../../../web/src/search/moods/mood.ts'
import { drawCard, HEIGHT, shownName, WIDTH } from './card.ts'
import type { Card } from './card.ts'
import { FACES, faceOf, readTypefaces } from './faces.ts'
import { fit } from './lines.ts'
import { createPictures } from './pictures.ts'

const faces = await readTypefaces()
const STATE = { tone: 'free', text: 'Available on 17 Nov 2026, 21:57 UTC' } as const

const cardOf = (name: string, domain = 'example.com'): Card => ({
  kind: 'name',
  name,
  domain,
  state: STATE,
  price: '$11.25 first year',
})

/** Its size and its pixels, or it throws. */
function readPng(png: Buffer): { width: number; height: number } {
  expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  const data: Buffer[] = []
  const palette: Buffer[] = []
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at)
    const kind = png.toString('latin1', at + 4, at + 8)
    if (kind === 'IDAT') data.push(png.subarray(at + 8, at + 8 + size))
    if (kind === 'PLTE') palette.push(png.subarray(at + 8, at + 8 + size))
    at += size + 12
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const rows = inflateSync(Buffer.concat(data))
  expect(rows.length).toBe((width + 1) * height)
  expect(Math.max(...new Set(rows))).toBeLessThan(Buffer.concat(palette).length / 3)
  return { width, height }
}

test('an image is a PNG of 1200 × 630 pixels, the same for the same card and another for another name', async () => {
  const [one, again, other] = await Promise.all(['Pedalier', 'Pedalier', 'Kneadful'].map((name) => drawCard(faces, cardOf(name))))
  expect(readPng(one!)).toMatchObject({ width: WIDTH, height: HEIGHT })
  expect(again).toEqual(one)
  expect(other).not.toEqual(one)
  expect(one!.length).toBeLessThan(60_000)
}) // prettier-ignore

test('a name has the face of its tile', () => {
  const names = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('aeiouybcdklmnprstvwxz 7-é')), minLength: 1, maxLength: 14 }),
    fc.constantFrom('Pedalier', 'Kneadful', 'Penny Farthing', 'Toolkit', 'Harbor24', 'Güneş', 'Asana', 'Nook'),
  )
  fc.assert(fc.property(names, (name) => faceOf(name) === moodOf(name)))
  expect(new Set(['Pedalier', 'Kneadful', 'Penny Farthing', 'Poolish', 'Toolkit'].map(faceOf)).size).toBe(5)
})

test('what no face can write is shown as its domain, never as boxes', async () => {
  expect(shownName(faces, 'Güneş', 'gunes.com')).toEqual({ text: 'Güneş', face: 'plain' })
  for (const name of ['مخبز', 'パン屋', '面包房', 'Хлебница', '빵집', '🥐'])
    expect(shownName(faces, name, 'xn--mgbq9dc.com')).toEqual({ text: 'xn--mgbq9dc.com', face: 'code' })
  // Every character of a domain, a price and a date.
  for (const face of FACES) expect(faces[face].canWrite('abcdefghijklmnopqrstuvwxyz0123456789-.,:$ …')).toBe(true)
  const words = (text: string) => drawCard(faces, { kind: 'words', title: 'Names for', words: text })
  expect(await words('パン屋')).toEqual(await words('面包房'))
})

test('whatever is written stays inside its box', () => {
  const box = { width: 1040, height: 230, largest: 196, smallest: 56 }
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('abw MW.-…$')), maxLength: 300 }), (text) => {
      const { lines, size } = fit(faces.plain, text, box)
      expect(lines.length * size).toBeLessThanOrEqual(box.height)
      for (const line of lines) expect(faces.plain.widthOf(line) * size).toBeLessThanOrEqual(box.width + 1)
    }),
    { numRuns: 50 },
  )
})

test('hostile text is drawn like any other, and costs no more', async () => {
  const sly = '<script>alert(1)</script>\u202Egpj.exe\u0000\u0007 Z\u0301\u0301\u0301algo"><img src=x onerror=alert(1)>'
  const long = 'ab '.repeat(50_000)
  const cards: readonly Card[] = [
    cardOf(sly, sly),
    cardOf('', ''),
    { kind: 'words', title: sly, words: long },
    { kind: 'names', title: long, names: Array<string>(1_000).fill(long) },
  ]
  const before = process.cpuUsage()
  for (const card of cards) expect(readPng(await drawCard(faces, card))).toEqual({ width: WIDTH, height: HEIGHT })
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(4_000)
})

test('an image is drawn once, one at a time, and not for those beyond their limit', async () => {
  let [drawn, running, most] = [0, 0, 0]
  const pictures = createPictures(async (_faces, card) => {
    drawn++
    most = Math.max(most, ++running)
    await new Promise((done) => setTimeout(done, 2))
    running--
    return Buffer.from(JSON.stringify(card))
  })
  const admit = async () => true
  const find = (name: string, admitted = admit) => pictures.find(cardOf(name), admitted)
  const found = await Promise.all([find('one'), find('one'), find('two'), find('one')])
  expect(found.map(({ isInstead }) => isInstead)).toEqual([false, false, false, false])
  expect([drawn, most]).toEqual([2, 1])
  // What is there needs no permission; what is not is replaced by the one image that always is.
  expect((await find('one', async () => false)).isInstead).toBe(false)
  const instead = await find('three', async () => false)
  expect([instead.isInstead, JSON.parse(instead.png.toString())]).toEqual([
    true,
    expect.objectContaining({ kind: 'home' }),
  ])
  // However many ask at once, few wait.
  const many = await Promise.all(Array.from({ length: 50 }, (_, index) => find(`name ${index}`)))
  expect(many.filter(({ isInstead }) => isInstead).length).toBeGreaterThan(30)
  expect(most).toBe(1)
})

test('one image costs little, and the store of images has an end', async () => {
  await drawCard(faces, cardOf('Warmup'))
  const before = process.cpuUsage()
  for (let turn = 0; turn < 5; turn++) await drawCard(faces, cardOf(`Pedalier ${turn}`))
  const { user, system } = process.cpuUsage(before)
  // About 15 ms each on a quiet machine; a bound for a busy one.
  expect((user + system) / 5_000).toBeLessThan(150)
  let drawn = 0
  const pictures = createPictures(async () => {
    drawn++
    return Buffer.alloc(1_000_000)
  })
  for (let turn = 0; turn < 12; turn++) await pictures.find(cardOf(`name ${turn}`), async () => true)
  await pictures.find(cardOf('name 11'), async () => true)
  expect(drawn).toBe(12)
  await pictures.find(cardOf('name 0'), async () => true)
  expect(drawn).toBe(13)
})
