/**
 * A real browser for tests: Chromium as it is installed on the machine, which takes any certificate and reaches nothing
 * but loopback. `CHROMIUM` says where it is when it is not in one of the usual places.
 */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome']

export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = [process.env['CHROMIUM'] ?? '', ...USUAL].find((path) => existsSync(path))
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--ignore-certificate-errors',
      '--disable-background-networking',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ...more,
    ],
  })
}
