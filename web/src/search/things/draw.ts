/**
 * A name drawn on five things, each as the text of an SVG that stands alone. Pure: a name has the same colours everywhere,
 * and what is written is escaped.
 */
import type { Face } from './faces.ts'

export const THINGS = ['favicon', 'icon', 'tab', 'sign', 'card'] as const
export type Thing = (typeof THINGS)[number]

export interface Drawn {
  readonly name: string
  readonly domain: string
  readonly face: Face
  /** The rules of the face, or nothing. */
  readonly rules: string
  /** How wide the name and its initial are in the face, in ems. */
  readonly ems: { readonly name: number; readonly initial: number }
}

export const SIZES: Readonly<Record<Thing, readonly [width: number, height: number]>> = {
  favicon: [64, 64],
  tab: [640, 360],
  icon: [512, 512],
  sign: [800, 440],
  card: [700, 400],
}

/** A surface and what is written on it, at least 7 : 1. */
const PALETTES = [
  ['#22369f', '#ffffff'],
  ['#0f4f3f', '#fdf6e3'],
  ['#7a1f3d', '#fff4ec'],
  ['#1d2230', '#ffd166'],
  ['#5b2a86', '#f9f2ff'],
  ['#ffd9c2', '#4a1d0c'],
  ['#d7f0e3', '#0d3b2c'],
] as const

export const initialOf = (name: string): string => (Array.from(name.trim())[0] ?? '').toLocaleUpperCase()

export function drawThing(thing: Thing, drawn: Drawn): string {
  const [width, height] = SIZES[thing]
  const rules = drawn.rules === '' ? '' : `<style>${drawn.rules}</style>`
  const title = `<title>${escaped(drawn.name)}</title>`
  const inside = DRAW[thing](drawn, paletteOf(drawn.name))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${title}${rules}${inside}</svg>`
}

type Palette = (typeof PALETTES)[number]

function paletteOf(name: string): Palette {
  const sum = Array.from(name.toLowerCase()).reduce(
    (all, character) => (all * 31 + (character.codePointAt(0) ?? 0)) % 9_973,
    7,
  )
  return PALETTES[sum % PALETTES.length] ?? PALETTES[0]
}

const DRAW: Readonly<Record<Thing, (drawn: Drawn, palette: Palette) => string>> = {
  favicon: (drawn, palette) => initialOn(drawn, palette, { x: 0, y: 0, size: 64 }),
  icon: (drawn, palette) => initialOn(drawn, palette, { x: 0, y: 0, size: 512 }),
  tab: (drawn, palette) =>
    [
      rect(0, 0, 640, 360, '#dfe3ea', 14),
      // The tab, the bar with the address, and the page.
      `<path d="M18 60V26a12 12 0 0 1 12-12h236a12 12 0 0 1 12 12v34z" fill="#fff"/>`,
      initialOn(drawn, palette, { x: 34, y: 24, size: 26 }),
      label(drawn.name, { x: 72, y: 43, size: 17, wide: 170, fill: '#1d2230' }),
      `<path d="M256 31l12 12m0-12l-12 12" stroke="#5a6275" stroke-width="2" stroke-linecap="round"/>`,
      `<path d="M0 58h640v288a14 14 0 0 1-14 14H14a14 14 0 0 1-14-14z" fill="#fff"/>`,
      rect(20, 72, 600, 38, '#eef0f4', 19),
      label(drawn.domain, { x: 44, y: 97, size: 17, wide: 550, fill: '#3b4254' }),
      word(drawn, { x: 320, y: 220, wide: 540, most: 92, fill: '#1d2230' }),
      rect(220, 284, 200, 12, '#e3e6ed', 6),
      rect(250, 308, 140, 12, '#eef0f4', 6),
    ].join(''),
  sign: (drawn, [surface, ink]) =>
    [
      rect(0, 0, 800, 440, '#e9e4da', 0),
      rect(40, 44, 720, 150, surface, 10),
      word(drawn, { x: 400, y: 119, wide: 640, most: 104, fill: ink }),
      // An awning over a window and an entrance.
      ...Array.from(
        { length: 12 },
        (_, index) =>
          `<path d="M${40 + index * 60} 206h60v44a30 30 0 0 1-60 0z" fill="${index % 2 === 0 ? surface : '#fffdf8'}"/>`,
      ),
      rect(70, 292, 440, 148, '#bcd3dc', 4),
      rect(84, 306, 198, 134, '#dcebf0', 2),
      rect(298, 306, 198, 134, '#dcebf0', 2),
      rect(560, 292, 170, 148, '#6b5a49', 4),
      rect(576, 308, 138, 132, '#cfe2e8', 2),
      `<circle cx="584" cy="382" r="6" fill="#e9e4da"/>`,
    ].join(''),
  card: (drawn, [surface, ink]) =>
    [
      rect(0, 0, 700, 400, '#fbfaf7', 18),
      `<path d="M18 0h212v400H18a18 18 0 0 1-18-18V18A18 18 0 0 1 18 0z" fill="${surface}"/>`,
      initialIn(drawn, { x: 115, y: 200, most: 150, fill: ink }),
      word(drawn, { x: 465, y: 160, wide: 390, most: 76, fill: '#1d2230' }),
      rect(405, 222, 120, 3, surface, 1),
      label(`hello@${drawn.domain}`, { x: 465, y: 272, size: 21, wide: 410, fill: '#3b4254', anchor: 'middle' }),
      label(drawn.domain, { x: 465, y: 306, size: 21, wide: 410, fill: '#3b4254', anchor: 'middle' }),
    ].join(''),
}

const rect = (x: number, y: number, width: number, height: number, fill: string, radius: number) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`

function initialOn(
  drawn: Drawn,
  [surface, ink]: Palette,
  { x, y, size }: { x: number; y: number; size: number },
): string {
  const at = { x: x + size / 2, y: y + size / 2, most: size * 0.62, fill: ink }
  return rect(x, y, size, size, surface, size * 0.22) + initialIn(drawn, at)
}

interface Place {
  readonly x: number
  /** The middle of small letters. */
  readonly y: number
  /** The largest size of the letters. */
  readonly most: number
  readonly fill: string
}

function initialIn({ name, face, ems }: Drawn, place: Place): string {
  return faced(initialOf(name), face, { ...place, size: Math.min(place.most, place.most / Math.max(0.1, ems.initial)) })
}

function word({ name, face, ems }: Drawn, place: Place & { readonly wide: number }): string {
  return faced(name, face, { ...place, size: Math.min(place.most, place.wide / ems.name) })
}

function faced(
  text: string,
  { family, weight, spacing }: Face,
  { x, y, fill, size }: Place & { size: number },
): string {
  const style = `font-family="'${family}', sans-serif" font-weight="${weight}" letter-spacing="${spacing}em"`
  // Half of a capital's height below the middle.
  return `<text x="${x}" y="${(y + size * 0.35).toFixed(1)}" font-size="${size.toFixed(1)}" ${style} text-anchor="middle" fill="${fill}">${escaped(text)}</text>`
}

/** In the letters of whatever shows it; a long one is narrowed rather than cut. */
function label(
  text: string,
  {
    x,
    y,
    size,
    wide,
    fill,
    anchor = 'start',
  }: { x: number; y: number; size: number; wide: number; fill: string; anchor?: string },
): string {
  const isLong = text.length * size * 0.62 > wide
  const fit = isLong ? ` textLength="${wide}" lengthAdjust="spacingAndGlyphs"` : ''
  return `<text x="${x}" y="${y}" font-size="${size}" font-family="system-ui, sans-serif" text-anchor="${anchor}" fill="${fill}"${fit}>${escaped(text)}</text>`
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

const escaped = (text: string) => text.replaceAll(/[<>&"]/g, (found) => ENTITIES[found] ?? found)
