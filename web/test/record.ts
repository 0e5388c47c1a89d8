/**
 * `pnpm exec node web/test/record.ts`: a visitor writes a description and gets names, in the real app, as an animated PNG in docs/screenshots.
 * Needs what the tests of the app need.
 */
import { writeFileSync } from 'node:fs'
import { encodeAnimation } from './animated-png.ts'
import type { Frame } from './animated-png.ts'
import { forget, settle } from './appearances.ts'
import { openStage } from './stage.ts'

const PATH = `${import.meta.dirname}/../../docs/screenshots/search.animated.png`
const DESCRIPTION = 'a bakery that delivers sourdough by bicycle'
const SIZE = { width: 1080, height: 760 }
const LETTERS_A_FRAME = 3
const TYPING_MS = 120
const ARRIVING_MS = 150
const READING_MS = 4_000
const MAX_MS = 30_000

await using stage = await openStage()
const { page } = await stage.visit({ viewport: SIZE })
await page.goto('/robots.txt')
await forget(page)
await page.goto('/?tlds=com,shop,dev')
const field = page.getByRole('textbox').first()
await field.waitFor()
await settle(page)
const frames: Frame[] = []
const take = async (showMs: number) => {
  frames.push({ png: await page.screenshot({ caret: 'initial' }), showMs })
}

await take(800)
await field.focus()
for (let at = 0; at < DESCRIPTION.length; at += LETTERS_A_FRAME) {
  await field.pressSequentially(DESCRIPTION.slice(at, at + LETTERS_A_FRAME))
  await take(TYPING_MS)
}
await field.press('Enter')
const cards = page.getByRole('article')
const isSettled = async () => (await cards.count()) >= 6 && (await page.locator('[aria-busy="true"]').count()) === 0
const until = performance.now() + MAX_MS
do await take(ARRIVING_MS)
while (!(await isSettled()) && performance.now() < until)
await settle(page)
await take(READING_MS)
const png = encodeAnimation(frames)
writeFileSync(PATH, png)
await stage.browser.close()
console.log(`${frames.length} frames, ${png.length} bytes: ${PATH}`)
