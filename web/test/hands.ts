/**
 * How a reader uses the page: with a pointer, or with nothing but the keyboard. A journey is written once for both.
 *
 * With the keyboard a thing is reached as people reach it, by Tab and, inside of menus and grids, by arrows; nothing is
 * focused by script. What cannot be reached that way fails the journey.
 */
import type { Locator, Page } from 'playwright-core'
import { TIER } from '../../scripts/test/tiers.ts'

const BOTH_HANDS = ['pointer', 'keyboard'] as const
export type Hand = (typeof BOTH_HANDS)[number]

/** For the journeys that most people make: finding names, signing in, keeping a name, sharing a list, making a key. */
export const MAIN_HANDS: readonly Hand[] = BOTH_HANDS

/** For all others: the pointer, and every night the keyboard too. */
export const HANDS: readonly Hand[] = TIER === 'nightly' ? BOTH_HANDS : ['pointer']

export interface Hands {
  readonly hand: Hand
  /** A button, a link, a checkbox, an entry of a menu. */
  readonly press: (target: Locator) => Promise<void>
  /** Replaces what stands in a field. */
  readonly write: (field: Locator, text: string) => Promise<void>
  /** The last thing that was done, by the note that tells of it. */
  readonly takeBack: () => Promise<void>
  readonly choose: (select: Locator, value: string) => Promise<void>
  /** A slider whose steps are one apart. */
  readonly slide: (slider: Locator, value: number) => Promise<void>
}

// More than any page of ours has, and few enough to fail soon.
const MAX_STEPS = 250

export function handsOf(page: Page, hand: Hand): Hands {
  return hand === 'pointer' ? pointerOf(page) : keyboardOf(page)
}

function pointerOf(page: Page): Hands {
  return {
    hand: 'pointer',
    press: (target) => target.click(),
    write: (field, text) => field.fill(text),
    takeBack: () => undoOf(page).click(),
    async choose(select, value) {
      await select.selectOption(value)
    },
    slide: (slider, value) => slider.fill(String(value)),
  }
}

const undoOf = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' })

function keyboardOf(page: Page): Hands {
  /** `beside`: on another radio button of its group. */
  const placeOf = (target: Locator): Promise<'there' | 'beside' | 'elsewhere'> =>
    target.evaluate((element) => {
      const active = document.activeElement
      const isInside = active !== null && element.contains(active) && element.tagName === 'LABEL'
      if (active === element || isInside) return 'there'
      const isRadio = (one: Element | null) => one instanceof HTMLInputElement && one.type === 'radio'
      const isBeside =
        isRadio(element) && isRadio(active) && active?.getAttribute('name') === element.getAttribute('name')
      return isBeside ? 'beside' : 'elsewhere'
    })

  async function reach(target: Locator): Promise<void> {
    await target.waitFor()
    const role = await target.evaluate((element) => element.getAttribute('role') ?? '')
    let step = role.startsWith('menuitem') ? 'ArrowDown' : 'Tab'
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const place = await placeOf(target)
      if (place === 'there') return
      // Of a group of radio buttons Tab reaches one, and arrows the others.
      if (place === 'beside') step = 'ArrowDown'
      await page.keyboard.press(step)
    }
    throw new Error(`${String(target)} cannot be reached by ${step}`)
  }

  return {
    hand: 'keyboard',
    async press(target) {
      await reach(target)
      const isBox = await target.evaluate((element) => element.matches('input[type=checkbox], input[type=radio]'))
      await page.keyboard.press(isBox ? 'Space' : 'Enter')
    },
    async write(field, text) {
      await reach(field)
      await page.keyboard.press('Control+A')
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(text)
    },
    async takeBack() {
      await undoOf(page).waitFor()
      await page.keyboard.press('Control+Z')
    },
    async choose(select, value) {
      await reach(select)
      // The arrows of a list that is closed choose at once.
      await page.keyboard.press('Home')
      for (let steps = 0; steps < MAX_STEPS; steps++) {
        if ((await select.inputValue()) === value) return
        await page.keyboard.press('ArrowDown')
      }
      throw new Error(`${String(select)} has no ${value}`)
    },
    async slide(slider, value) {
      await reach(slider)
      const now = Number(await slider.inputValue())
      const key = now < value ? 'ArrowRight' : 'ArrowLeft'
      for (let step = 0; step < Math.abs(value - now); step++) await page.keyboard.press(key)
    },
  }
}
