/** Describing what a name is for: by example, by Enter, by an input method, and from right to left. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAIN_HANDS, handsOf } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { allowSlowAnswers, fieldOf, namesOf, PATIENT, soon, waitForNames } from '../../journeys/searching.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

describe.each(MAIN_HANDS)('with the %s', (hand) => {
  it('an example is one press away from names', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    await page.goto('/')
    const example = 'small vegetable gardens for city balconies'
    await handsOf(page, hand).press(page.getByRole('button', { name: example }))
    await waitForNames(page, 20)
    expect(await fieldOf(page).inputValue()).toBe(example)
    expect(await namesOf(page).count()).toBe(20)
    expect(complaints).toEqual([])
  })

  it('nothing is searched for before something is written, and the field says what is missing', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    await page.goto('/')
    await handsOf(page, hand).press(page.getByRole('button', { name: 'Find names' }))
    await page.getByText('Describe your project in a few words.').waitFor()
    await soon(() => fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await fieldOf(page).getAttribute('aria-invalid')).toBe('true')
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  })
})

it('Enter searches, and Shift with Enter begins a line', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await page.goto('/')
  await fieldOf(page).waitFor()
  await page.keyboard.insertText('a bakery')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.insertText('that delivers by bicycle')
  expect(await fieldOf(page).inputValue()).toBe('a bakery\nthat delivers by bicycle')
  expect(new URL(page.url()).search).toBe('')
  await page.keyboard.press('Enter')
  await waitForNames(page)
  expect(new URL(page.url()).searchParams.get('d')).toBe('a bakery\nthat delivers by bicycle')
  expect(complaints).toEqual([])
})

it('the Enter that ends a composition belongs to the input method, and the next one searches', PATIENT, async () => {
  const { page, context, complaints } = await stage.visit()
  await page.goto('/')
  await fieldOf(page).click()
  const input = await context.newCDPSession(page)
  await input.send('Input.imeSetComposition', { text: 'しずかな', selectionStart: 4, selectionEnd: 4 })
  await input.send('Input.imeSetComposition', { text: '静かな喫茶店', selectionStart: 6, selectionEnd: 6 })
  await fieldOf(page).evaluate((field) => {
    const note = (event: KeyboardEvent) => field.setAttribute('data-composing', String(event.isComposing))
    field.addEventListener('keydown', note as EventListener, { once: true })
  })
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 } as const
  await input.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter })
  await input.send('Input.insertText', { text: '静かな喫茶店' })
  await input.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
  expect(await fieldOf(page).getAttribute('data-composing')).toBe('true')
  expect(await fieldOf(page).inputValue()).toBe('静かな喫茶店')
  expect(new URL(page.url()).search).toBe('')
  await page.keyboard.press('Enter')
  await waitForNames(page)
  expect(new URL(page.url()).searchParams.get('d')).toBe('静かな喫茶店')
  expect(complaints).toEqual([])
})

it(
  'in Arabic the page runs from right to left, numbers are Arabic, and domains stay as they are',
  PATIENT,
  async () => {
    const { page, complaints } = await stage.visit({ locale: 'ar' })
    await allowSlowAnswers(page)
    await page.goto('/')
    const field = page.getByRole('search').getByRole('textbox')
    await soon(() => page.locator('html').getAttribute('lang')).toBe('ar')
    const side = () => field.evaluate((one) => getComputedStyle(one).direction)
    await soon(side).toBe('rtl')
    await field.fill('bakery')
    await soon(side).toBe('ltr')
    await field.fill('مخبز صغير يوصل الخبز بالدراجة')
    await soon(side).toBe('rtl')
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await field.press('Enter')
    await soon(() => namesOf(page).count()).toBe(20)
    await page.getByRole('progressbar').waitFor({ state: 'hidden' })
    const written = await page.evaluate(() => ({
      count: new Intl.NumberFormat('ar').format(20),
      sides: [...document.querySelectorAll('article bdi, article span')]
        .filter((part) => part.children.length === 0 && /^[a-z0-9-]*\.[a-z]+$/.test(part.textContent))
        .map((part) => getComputedStyle(part).direction),
      sign: getComputedStyle(document.querySelector('main') ?? document.body).direction,
    }))
    expect(written.sign).toBe('rtl')
    expect(written.sides.length).toBeGreaterThanOrEqual(20)
    expect(new Set(written.sides)).toEqual(new Set(['ltr']))
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toContain(written.count)
    expect(complaints).toEqual([])
  },
)
