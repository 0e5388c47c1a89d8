/**
 * Every page and state in the made-up language, whose texts all stand in ⟦brackets⟧ and are two fifths longer: what has no
 * brackets does not come from the catalogs, and what is cut off would be so in German.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCast, WRITTEN } from './cast.ts'
import type { Cast } from './cast.ts'
import { DESK, PHONE, show } from './looks.ts'
import { openState, STATES } from './pages.ts'
import { cutTexts, strayTexts } from './texts.ts'

let cast: Cast
beforeAll(async () => {
  cast = await openCast()
}, 180_000)
afterAll(() => cast[Symbol.asyncDispose](), 120_000)

describe('in the made-up language', () => {
  it.each(STATES)(
    'all texts of $name are from the catalogs, and all are whole',
    { timeout: 120_000 },
    async (state) => {
      const page = await openState(cast, state)
      await show(page, { width: DESK, language: 'en-XA', theme: 'light' })
      if (state.isSaid !== true) expect(await strayTexts(page, WRITTEN)).toEqual([])
      for (const width of [DESK, PHONE]) {
        await show(page, { width, language: 'en-XA', theme: 'light' })
        expect(await cutTexts(page), `${width} px wide`).toEqual([])
      }
    },
  )
})
