/**
 * The images of links, drawn on demand and kept in memory.
 *
 * Drawing costs about 15 ms of CPU, so strangers must not be able to cause much of it: each node draws one image at a
 * time and lets few wait, each address and all together have limits, and the same card is drawn once. Whoever is beyond a
 * limit gets the image of the home page, which is always there: a link then looks plain, and is not broken.
 */
import type { Card } from './card.ts'
import { drawCard } from './card.ts'
import { readTypefaces } from './faces.ts'
import type { Typefaces } from './faces.ts'

export interface Picture {
  readonly png: Buffer
  /** The image of the home page, because there was no time to draw the wanted one. */
  readonly isInstead: boolean
}

export interface Pictures {
  /** Whether the typefaces are there: without `pnpm build` there are no images. */
  isReady(): Promise<boolean>
  /** `admit` is asked only if the image has to be drawn. */
  find(card: Card, admit: () => Promise<boolean>): Promise<Picture>
}

// About 400 images of 20 kB.
const MAX_BYTES = 8_000_000
const MAX_WAITING = 8

const HOME: Card = { kind: 'home', title: 'Names with domains that you can register' }

export function createPictures(draw: typeof drawCard = drawCard): Pictures {
  let faces: Promise<Typefaces> | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let bytes = 0
  /** Oldest use first. */
  const kept = new Map<string, Buffer>()
  const drawing = new Map<string, Promise<Buffer>>()

  function readFaces(): Promise<Typefaces> {
    faces ??= readTypefaces()
    // Built later: the next request tries again.
    faces.catch(() => (faces = undefined))
    return faces
  }

  function keep(key: string, png: Buffer): void {
    kept.delete(key)
    kept.set(key, png)
    bytes += png.length
    for (const [oldest, one] of kept) {
      if (bytes <= MAX_BYTES) return
      kept.delete(oldest)
      bytes -= one.length
    }
  }

  function findKept(key: string): Buffer | undefined {
    const png = kept.get(key)
    if (!png) return undefined
    kept.delete(key)
    kept.set(key, png)
    return png
  }

  async function drawNext(key: string, card: Card): Promise<Buffer> {
    waiting++
    const before = queue
    const { promise, resolve } = Promise.withResolvers<undefined>()
    queue = promise
    try {
      await before
      const png = await draw(await readFaces(), card)
      keep(key, png)
      return png
    } finally {
      waiting--
      drawing.delete(key)
      resolve(undefined)
    }
  }

  function drawOnce(card: Card): Promise<Buffer> {
    const key = JSON.stringify(card)
    const png = findKept(key)
    if (png) return Promise.resolve(png)
    const pending = drawing.get(key) ?? drawNext(key, card)
    drawing.set(key, pending)
    return pending
  }

  return {
    isReady: () =>
      readFaces().then(
        () => true,
        () => false,
      ),
    async find(card, admit) {
      const key = JSON.stringify(card)
      const known = findKept(key) ?? drawing.get(key)
      if (known) return { png: await known, isInstead: false }
      const isRoom = () => waiting < MAX_WAITING
      // Asked twice: others come while the permission is on its way.
      const isAdmitted = card.kind === 'home' || (isRoom() && (await admit()) && isRoom())
      return isAdmitted
        ? { png: await drawOnce(card), isInstead: false }
        : { png: await drawOnce(HOME), isInstead: true }
    },
  }
}
