/**
 * `pnpm exec node web/test/screenshots.ts [name …] [--languages en,ar]`: every page and state of the app in light and dark, on a phone and on a
 * desk, in these languages, into `screenshots/`. Names of states, or the beginnings of them, make only those. Chinese,
 * Japanese and Korean need a font, such as Debian's `fonts-noto-cjk`.
 *
 * What there is and how one gets there stands in web/test/pages.ts. Needs what the tests of the app need.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { LANGUAGES } from '../../server/src/model/language.ts'
import { openCast } from './cast.ts'
import { DESK, heightOf, nameOf, PHONE, settle, show } from './appearances.ts'
import type { Appearance } from './appearances.ts'
import { openState, STATES } from './pages.ts'

const FOLDER = `${import.meta.dirname}/../../screenshots`
const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { languages: { type: 'string', default: 'en,ar' } },
})
const languages = LANGUAGES.filter((language) => values.languages.split(',').includes(language))
const APPEARANCES: readonly Appearance[] = languages.flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [DESK, PHONE].map((width) => ({ language, theme, width }))),
)
// Longer ones say nothing that is not seen in their upper part.
const HIGHEST = 3_000

const states = STATES.filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))
mkdirSync(FOLDER, { recursive: true })

await using cast = await openCast()
for (const state of states) {
  const page = await openState(cast, state)
  for (const appearance of APPEARANCES) {
    await show(page, appearance)
    const path = `${FOLDER}/${state.name}.${nameOf(appearance)}.png`
    // What floats over a page is seen where the page was left.
    if (await page.locator('dialog:modal, :popover-open').count()) await page.screenshot({ path })
    else {
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      const { width } = appearance
      await page.setViewportSize({ width, height: Math.min(HIGHEST, Math.max(height, heightOf(width))) })
      await settle(page)
      await page.screenshot({ path })
    }
  }
  console.log(state.name)
}
console.log(`${states.length * APPEARANCES.length} pictures are in ${FOLDER}`)
