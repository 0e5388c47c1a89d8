/** The naming in a page: bundled for browsers, its lists fetched before, no request after. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { closeContexts, shareBrowser } from '../../../server/test/browser.ts'
import { type Names, type openNames, plainNameRequest } from './names.ts'
import { openNamesFrom } from './node.ts'

const LISTS =
  'fields.txt names.txt themes.txt functions.txt manners.txt frames.txt halves.txt weak.txt offensive.json unpleasant.txt brands.txt languages.txt languages/de.txt'.split(
    ' ',
  )
const PAGE =
  "<!doctype html><script type=module>import { openNames } from '/names.js'; window.openNames = openNames</script>"
const DESCRIPTIONS = ['a bakery that delivers by bicycle', 'crumbfolk.com', 'Hundesalon im Nachbarort']

/** As much of Rolldown as is used; it is here because Vitest is. */
interface Bundler {
  readonly rolldown: (
    options: object,
  ) => Promise<{ generate: (options: object) => Promise<{ output: { code: string }[] }> }>
}

const closing = new AsyncDisposableStack()
afterAll(() => closing.disposeAsync())

test('gives the same names in a browser as in Node, without the network', async () => {
  const code = await bundleForBrowsers()
  const zipped = gzipSync(code).length
  const lists = LISTS.map((list) => readFileSync(new URL(`../data/${list}`, import.meta.url)))
  const [german, ...english] = lists.toReversed().map((list) => gzipSync(list).length)
  console.log(
    `the naming in a page, zipped: ${kb(zipped)} kB of code, ${kb(english.reduce((a, b) => a + b, 0))} kB of English lists, ${kb(german ?? 0)} kB of German ones`,
  )
  expect(zipped).toBeLessThan(20_000)

  const server = createServer((request, response) => {
    const at = LISTS.indexOf(request.url?.slice(1) ?? '')
    response.setHeader('content-type', request.url === '/names.js' ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(request.url === '/names.js' ? code : at < 0 ? PAGE : lists[at])
  })
  closing.defer(async () => void (await new Promise((resolve) => server.close(resolve))))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const browser = await shareBrowser()
  closing.defer(() => closeContexts(browser))
  const page = await (await browser.newContext()).newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.evaluate(async (files) => {
    const texts = await Promise.all(files.map(async (file) => [file, await (await fetch(`/${file}`)).text()] as const))
    const read = new Map(texts)
    const inPage = globalThis as { openNames?: typeof openNames; names?: Names | undefined }
    inPage.names = inPage.openNames?.((file) => read.get(file))
  }, LISTS)
  await page.context().setOffline(true)
  const requests = DESCRIPTIONS.map(plainNameRequest)
  const inPage = await page.evaluate(
    (asked) => asked.map((request) => (globalThis as { names?: Names }).names?.propose(request, 40)),
    requests,
  )
  const names = openNamesFrom()
  expect(inPage).toEqual(requests.map((request) => names.propose(request, 40)))
  expect(inPage.map((found) => found?.length)).toEqual([40, 40, 40])
})

async function bundleForBrowsers(): Promise<string> {
  const vite = createRequire(import.meta.resolve('vitest')).resolve('vite')
  const { rolldown } = (await import(createRequire(vite).resolve('rolldown'))) as Bundler
  const bundle = await rolldown({ input: new URL('names.ts', import.meta.url).pathname, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const [chunk, ...others] = output
  if (chunk === undefined || others.length > 0) throw new Error('the engine is no longer one file')
  return chunk.code
}

function kb(bytes: number): number {
  return Math.round(bytes / 1000)
}
