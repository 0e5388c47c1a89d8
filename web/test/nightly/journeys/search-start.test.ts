/** How a search begins: with a description, with a pasted list of domains, with a sample or with what was searched before. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringAxe, violationsOn } from '../../axe.ts'
import { MAIN_HANDS, handsOf, HANDS } from '../../hands.ts'
import {
  allowSlowAnswers,
  fieldOf,
  namesOf,
  PATIENT,
  soon,
  waitForNames,
  openSearch,
  settle,
} from '../../journeys/searching.ts'
import { signOut } from '../../journeys/signing-in.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'

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

it.each(HANDS)(
  'with the %s, a pasted list is checked row by row, and taken along as a table and as text',
  PATIENT,
  async (hand) => {
    stage.registered.add('list-gone.com')
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await page.goto('/')
    await hands.write(
      fieldOf(page),
      'list-gone.com\nhttps://www.list-kept.com/about\nlistword\n-bad-.com\nlist.nosuchsuffix',
    )
    const list = page.getByRole('region', { name: '5 domains from your list' })
    const rows = list.getByRole('listitem')
    const bar = list.getByRole('progressbar', { name: 'Domains checked' })
    await soon(() => bar.getAttribute('aria-valuenow')).toBe('5')
    const texts = await rows.allInnerTexts()
    expect(texts[0]).toMatch(/list-gone\.com\s+Taken\s+(?:now|\d+ seconds? ago)/)
    expect(texts[0]).not.toMatch(/Register/)
    expect(texts[1]).toMatch(/list-kept\.com\s+Available\s.+\s+\$\d+\.\d{2} Renews at \$\d+\.\d{2} a year\s+Register/)
    expect(texts[2]).toMatch(/listword\.com/)
    expect(texts[3]).toMatch(/not a valid domain/)
    expect(texts[4]).toMatch(/cannot check this extension/)
    await list.getByText(/^Words without an extension are checked under .*\.com/).waitFor()
    await soon(() => page.locator('[data-announcer]').textContent()).toMatch(/^Available: \d · .*Unknown: 2$/)
    const save = async (format: string) => {
      await hands.press(list.getByRole('button', { name: 'Export' }))
      const saved = page.waitForEvent('download')
      await hands.press(page.getByRole('menuitem', { name: format }))
      return readFile(await (await saved).path(), 'utf8')
    }
    const csv = await save('CSV (spreadsheet)')
    expect(csv.trim().split('\r\n')).toHaveLength(6)
    expect(csv).toContain('list-gone.com,list-gone.com,taken,false')
    const text = await save('Plain text (available domains)')
    expect(text).toContain('list-kept.com\n')
    expect(text).not.toContain('list-gone.com')
    // Enter does not search for names of a list, but goes to it.
    await fieldOf(page).press('Enter')
    await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('list')
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  },
)

it.each(HANDS)(
  'with the %s, a chat is asked for names, and those of its answer become tiles or say why not',
  PATIENT,
  async (hand) => {
    const [taken, ...free] = ['Chatcrumb', 'Knotted Dough', 'Pedalloaf'].map((name) => `${name}${hand}`)
    const isFree = free.map((name) => name.replaceAll(' ', '').toLowerCase())
    for (const suffix of ['com', 'net']) stage.registered.add(`chatcrumb${hand}.${suffix}`)
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await allowSlowAnswers(page)
    await openSearch(page, { tlds: 'com,net', min: 4 })
    await hands.press(page.getByRole('button', { name: 'Ask your own chat' }))
    await page.getByText(/^Copied\. Paste it into your chat/).waitFor()
    const request = await page.evaluate(() => navigator.clipboard.readText())
    expect(request).toContain('a bakery that delivers by bicycle')
    expect(request).toMatch(/- \.com\n- \.net\n- At least 4 characters\n/)

    const answer = [
      'Here are names for your bakery:',
      `1. **${taken}** - warm`,
      ...free.map((name) => `• ${name}`),
      'Bär',
    ]
    await fieldOf(page).fill(answer.join('\n'))
    await page.getByRole('heading', { level: 2, name: '4 names in your list' }).waitFor()
    await page.getByText('Not a name').waitFor()
    await fieldOf(page).press('Enter')
    const list = page.getByRole('region', { name: /^\d names? of your list/ })
    await list.waitFor()
    const shown = await list.getByRole('article').evaluateAll((tiles) => tiles.map((tile) => tile.dataset['result']))
    const rejected = await list.getByRole('list', { name: 'Names that are not suggested' }).innerText()
    expect(rejected).toMatch(new RegExp(`${taken}\\s+Taken`))
    // One domain in four is taken here, always the same ones.
    for (const [index, name] of free.entries())
      expect([shown.includes(name), rejected.includes(name)], isFree[index]).toContain(true)
    expect(complaints).toEqual([])
  },
)

it('a check can be stopped and continued, and a failed batch says why in its rows', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  let asked = 0
  const held = Promise.withResolvers<void>()
  await page.route('**/v1/domains/check', async (route) => {
    asked++
    // The second answer is held until the reader has stopped, and the third is a refusal.
    if (asked === 2) await held.promise
    if (asked === 3)
      await route.fulfill({
        status: 403,
        json: { status: 'error', error: { code: 'insufficient_scope', message: 'Not allowed.', request_id: 'r' } },
      })
    else await route.continue().catch(() => undefined)
  })
  await page.goto('/')
  // More characters than a description may have.
  const domains = Array.from({ length: 60 }, (_, index) => `a-rather-long-label-for-a-list-of-domains-${index}.com`)
  await fieldOf(page).fill(domains.join(' '))
  const list = page.getByRole('region', { name: '60 domains from your list' })
  const bar = list.getByRole('progressbar')
  await soon(() => bar.getAttribute('aria-valuenow')).toBe('25')
  const height = await list.evaluate((section) => section.getBoundingClientRect().height)
  await list.getByRole('button', { name: 'Stop' }).click()
  held.resolve()
  await list.getByText('25 of 60 checked').waitFor()
  await list.getByRole('button', { name: 'Continue' }).click()
  await soon(() => bar.getAttribute('aria-valuenow')).toBe('60')
  expect(await list.getByText('Not allowed.').count()).toBe(25)
  // What was checked is not asked for again.
  expect(asked).toBe(4)
  await list.getByRole('button', { name: 'Check again' }).click()
  await soon(() => list.getByText('Not allowed.').count()).toBe(0)
  await soon(() => list.getAttribute('aria-busy')).toBe('false')
  expect(await list.evaluate((section) => section.getBoundingClientRect().height)).toBe(height)
  expect(complaints).toEqual([])
})

const recentOf = (page: Page) => page.getByRole('region', { name: 'Recent searches' })
const examplesOf = (page: Page) => page.getByRole('region', { name: 'Examples' })
const sampleOf = (page: Page) => page.getByRole('region', { name: 'Sample result' }).getByRole('button')
const homeOf = (page: Page) => page.getByRole('link', { name: 'Search', exact: true })

describe.each(HANDS)('with the %s', (hand) => {
  it('a sample claims nothing, and leads to a search that the first page then offers again', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await page.goto('/')
    await examplesOf(page).waitFor()
    expect(await sampleOf(page).innerText()).toMatch(/^Crumbfolk\s+crumbfolk\.com\s+Not checked yet\s/)
    await hands.press(sampleOf(page))
    await settle(page)
    const description = await fieldOf(page).inputValue()
    expect(description).toBe('a bakery that delivers by bicycle before breakfast')

    await openSearch(page, { d: 'a studio for pottery', tlds: 'net', n: 3 })
    await hands.press(homeOf(page))
    const recent = recentOf(page).getByRole('listitem').getByRole('button')
    await soon(() => recent.allInnerTexts()).toEqual(['a studio for pottery', description])
    // What there is to begin with stays.
    await examplesOf(page).waitFor()
    await sampleOf(page).waitFor()
    await bringAxe(page)
    expect(await violationsOn(page)).toEqual([])

    await hands.press(recent.first())
    await settle(page)
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('d'), searchParams.get('tlds'), searchParams.get('n')]).toEqual([
      'a studio for pottery',
      'net',
      null,
    ])

    await page.goto('/')
    await hands.press(recentOf(page).getByRole('button', { name: 'Clear' }))
    await soon(() => recentOf(page).count()).toBe(0)
    await soon(() => fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await page.reload()
    await examplesOf(page).waitFor()
    expect(await recentOf(page).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('signing out forgets the searches of this browser', PATIENT, async () => {
    const { page, complaints } = await stage.visitAs(await stage.at.signUp())
    const hands = handsOf(page, hand)
    await openSearch(page)
    await hands.press(homeOf(page))
    await recentOf(page).waitFor()
    await signOut(page, hands)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.goto('/')
    await examplesOf(page).waitFor()
    expect(await recentOf(page).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

it('whatever stands in the storage of the browser, the first page is shown', PATIENT, async () => {
  for (const stored of ['{"d":1}', 'nothing', '[null,7,{"d":{}},{"d":" "},{"x":"y"}]']) {
    const { page, complaints } = await stage.visit()
    await page.addInitScript((text) => localStorage.setItem('namewright.searches', text), stored)
    await page.goto('/')
    await examplesOf(page).waitFor()
    expect(complaints).toEqual([])
  }
})
