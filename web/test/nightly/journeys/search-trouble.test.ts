/** Searches with failures: a registry that is slow or does not answer, and a connection that breaks. */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { allowSlowAnswers, fieldOf, namesOf, PATIENT, settle, soon, waitForNames } from '../../journeys/searching.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterEach(() => stage.registrar.be('well'))
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

it('names are there before the registry has spoken, and every domain ends in a state', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await allowSlowAnswers(page)
  stage.registrar.be('held')
  await page.goto('/')
  // What is seen in between is gone in a moment, so the page itself keeps it.
  await page.evaluate(() => {
    const watch = new MutationObserver(() => {
      const isChecking = [...document.querySelectorAll('article')].some((card) =>
        card.textContent.includes('Checking…'),
      )
      if (isChecking) document.body.dataset['sawChecking'] = 'yes'
    })
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await fieldOf(page).fill('a ferry for cyclists')
  await fieldOf(page).press('Enter')
  await soon(() => page.evaluate(() => document.body.dataset['sawChecking'])).toBe('yes')
  stage.registrar.be('well')
  await waitForNames(page)
  const cards = await namesOf(page).allTextContents()
  for (const card of cards) {
    expect(card).toMatch(/Available|Premium|Taken|Unknown/)
    expect(card).not.toContain('Checking…')
  }
  expect(complaints).toEqual([])
})

it('domains of a silent registry are unknown, never available, and can be checked again', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  stage.registrar.be('silent')
  await page.goto('/?d=a+lighthouse+for+night+owls&n=3&tlds=dev&seed=5')
  await page
    .getByText('Checking availability with the registries.')
    .or(page.getByText('No names found', { exact: true }))
    .or(page.getByText('Availability cannot be checked right now'))
    .waitFor()
  await page.getByRole('progressbar', { name: 'Names ready' }).waitFor({ state: 'hidden' })
  expect(await namesOf(page).getByText('Available', { exact: true }).count()).toBe(0)
  await page
    .getByText(/did not answer/)
    .first()
    .waitFor()
  expect(complaints).toEqual([])
})

it('cut off in the middle nothing is lost, the page says so, and goes on by itself', PATIENT, async () => {
  await using wire = await openWire()
  const { page, context, complaints } = await stage.visit({ proxy: wire.proxy })
  await allowSlowAnswers(page)
  stage.registrar.be('silent')
  const goOffline = async () => {
    wire.mend()
    await context.setOffline(false)
    await page.goto('/')
    await fieldOf(page).fill('a tea house in an old station')
    await fieldOf(page).press('Enter')
    await namesOf(page)
      .getByRole('heading', { level: 3 })
      .or(page.getByText('No names found', { exact: true }))
      .first()
      .waitFor()
    wire.cut()
    await context.setOffline(true)
    await page.getByText('You are offline.').first().waitFor()
    return namesOf(page).getByRole('heading', { level: 3 }).count()
  }
  // Of a search that was over before it could be cut off there is nothing to see.
  await soon(goOffline).toBeGreaterThan(0)
  stage.registrar.be('well')
  wire.mend()
  await context.setOffline(false)
  await page.getByText('You are offline.').first().waitFor({ state: 'hidden' })
  await settle(page)
  await namesOf(page).getByText('Available', { exact: true }).first().waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

interface Wire extends AsyncDisposable {
  /** For a browser's context. */
  readonly proxy: { readonly server: string }
  cut(): void
  mend(): void
}

/** The wire between a browser and the world: a proxy that can be cut, with everything that is on its way. */
async function openWire(): Promise<Wire> {
  const ends = new Set<Duplex>()
  let isCut = false
  const server = createServer((_request, response) => response.writeHead(502).end())
  server.on('connect', ({ url = '' }, near, head) => {
    const { hostname, port } = new URL(`https://${url}`)
    // Browsers have errands of their own.
    if (isCut || hostname !== 'localhost') return near.destroy()
    const far = connect(Number(port || 443), hostname, () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.write(head)
      near.pipe(far).pipe(near)
    })
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
    }
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const end of ends) end.destroy()
  }
  return {
    proxy: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    cut,
    mend() {
      isCut = false
    },
    [Symbol.asyncDispose]() {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
