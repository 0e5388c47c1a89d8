/** In and out by the page, as a person does it. */
import type { Locator, Page } from 'playwright-core'
import type { Hands } from '../hands.ts'

/** Present only with a session. */
export const menuOf = (page: Page): Locator => page.getByRole('button', { name: 'Your account' })

/** On the page that asks for it. Whether it works out is for the journey to say. */
export async function signIn(page: Page, { press, write }: Hands, email: string, password: string): Promise<void> {
  await write(page.getByLabel('Email address'), email)
  await write(page.getByLabel('Password', { exact: true }), password)
  await press(page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }))
}

export async function signOut(page: Page, { press }: Hands): Promise<void> {
  await press(menuOf(page))
  await press(page.getByRole('menuitem', { name: 'Sign out' }))
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
}
