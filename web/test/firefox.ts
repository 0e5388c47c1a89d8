/**
 * Firefox as Debian packages it, driven over WebDriver BiDi. It takes any certificate, speaks English, and reaches nothing
 * but loopback. `FIREFOX` says where it is when it is not in the usual place.
 */
import { existsSync } from 'node:fs'
import puppeteer from 'puppeteer-core'
import type { Browser } from 'puppeteer-core'

const USUAL = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
/** Everything but loopback goes to a proxy that is not there. */
const NOWHERE = { host: '127.0.0.1', port: 9 }

export async function openFirefox(): Promise<Browser> {
  const executablePath = [process.env['FIREFOX'] ?? '', ...USUAL].find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('no Firefox: install firefox-esr, or set FIREFOX')
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    acceptInsecureCerts: true,
    defaultViewport: { width: 1280, height: 900 },
    extraPrefsFirefox: {
      'intl.accept_languages': 'en-GB,en',
      'network.proxy.type': 1,
      'network.proxy.http': NOWHERE.host,
      'network.proxy.http_port': NOWHERE.port,
      'network.proxy.ssl': NOWHERE.host,
      'network.proxy.ssl_port': NOWHERE.port,
    },
  })
}
