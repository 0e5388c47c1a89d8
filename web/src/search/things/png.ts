/** An SVG as pixels, through a canvas: twice as many as it says, and for a favicon enough for every place it is used in. */
import { SIZES } from './draw.ts'
import type { Thing } from './draw.ts'

const SCALES: Readonly<Record<Thing, number>> = { favicon: 8, tab: 2, icon: 2, sign: 2, card: 2 }

export const urlOf = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`

export async function pngOf(svg: string, thing: Thing): Promise<Blob> {
  const [width, height] = SIZES[thing].map((size) => size * SCALES[thing]) as [number, number]
  const image = new Image(width, height)
  image.src = urlOf(svg)
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
  const { promise, resolve } = Promise.withResolvers<Blob | null>()
  canvas.toBlob(resolve, 'image/png')
  const blob = await promise
  if (!blob) throw new TypeError('the canvas gave no picture')
  return blob
}
