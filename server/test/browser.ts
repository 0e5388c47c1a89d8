/**
 * A real browser for tests: Chromium as it is installed on the machine, which takes any certificate and reaches nothing
 * but loopback. `CHROMIUM` says where it is when it is not in one of the usual places.
 */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

// The headless shell has no windows of its own to draw, which takes two fifths of what Chromium costs off.
const USUAL = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
]

/** An init script: the searches of a page have time on a busy machine, too. */
export const PATIENT_SEARCHES = `{
  const { fetch } = window
  window.fetch = (url, init) => {
    if (!String(url).endsWith('/v1/generate')) return fetch(url, init)
    return fetch(url, { ...init, body: JSON.stringify({ ...JSON.parse(init.body), deadline_ms: 20_000 }) })
  }
}`

let shared: Promise<Browser> | undefined

/** One per test worker. A file that has used it closes what it has opened (`closeContexts`), and not the browser. */
export function shareBrowser(): Promise<Browser> {
  shared ??= openBrowser()
  return shared
}

export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
  // A command that uses the stage has no worker that would end the browser with it.
  if (process.env['VITEST'] === undefined) {
    await browser?.close()
    shared = undefined
  }
}

export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = [process.env['CHROMIUM'] ?? '', ...USUAL].find((path) => existsSync(path))
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--ignore-certificate-errors',
      // Pages are drawn by the processor either way; without the detour through an emulated GPU for half of the time.
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ...more,
    ],
  })
}
