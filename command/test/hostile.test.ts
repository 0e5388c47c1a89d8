/** Responses of the service are untrusted: their control characters never reach the terminal. */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from './harness.ts'
import { createScreen } from './screen.ts'

// Clear the screen, set the title, a C1 control, bell, backspace, carriage return, right-to-left, a lone surrogate.
const EVIL = 'good\x1b[2J\x1b]0;pwned\x07\x9b31m\x08\x08\rBAD\u202egnol\u2066\ud800\u2028end'
const ID = '01a1def5-d599-7cff-8c6e-0ae2b52c5983'

const seen = { available: true, price: EVIL, checked_at: EVIL }
const entry = { domain: `${EVIL}.com`, available: true, price: EVIL, status: 'available' }
const checked = {
  ...entry,
  input: EVIL,
  confidence: EVIL,
  sources: [EVIL],
  checked_at: EVIL,
  expires_at: EVIL,
  pricing: null,
}
const suggestion = { name: EVIL, domains: [entry], rationale: EVIL }
const favorite = {
  id: ID,
  domain: EVIL,
  name: EVIL,
  note: EVIL,
  tags: [EVIL],
  watch: true,
  created_at: EVIL,
  saved: seen,
  current: seen,
}
const record = {
  id: ID,
  created_at: EVIL,
  description: EVIL,
  count: 1,
  language: EVIL,
  options: {},
  key_id: EVIL,
  suggestions: [suggestion],
}
const batch = {
  id: EVIL,
  state: EVIL,
  total: 1,
  finished: 1,
  succeeded: 1,
  short: 0,
  failed: 0,
  canceled: 0,
  progress: 1,
  created_at: EVIL,
  finished_at: EVIL,
}
const usage = {
  key: { id: EVIL, days: [{ day: EVIL, suggestions: 1 }], today: 1, this_month: 1, left: { day: null, month: null } },
  account: { days: [], today: 1, this_month: 1 },
}

const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/history': { history: [record], next_cursor: null },
  [`/v1/history/${ID}`]: { record },
  '/v1/favorites': { favorites: [favorite], next_cursor: null },
  [`/v1/favorites/${ID}`]: { favorite },
  [`/v1/favorites/${ID}/changes`]: {
    changes: [{ id: ID, created_at: EVIL, kind: EVIL, before: seen, after: seen }],
    next_cursor: null,
  },
  '/v1/batches': { batches: [batch], next_cursor: null },
  [`/v1/batches/${ID}`]: { batch },
  '/v1/usage': { usage },
}

let server: Server
let url: string
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const events: Readonly<Record<string, object[]>> = {
      '/v1/generate': [
        { event: 'suggestion', id: 's.1', data: suggestion },
        { event: 'done', id: 's.2', data: { status: 'success', data: { suggestions: [suggestion] } } },
      ],
      '/v1/domains/check': [
        { event: 'domain', id: 's.1', data: { index: 0, domain: checked } },
        { event: 'done', id: 's.2', data: { status: 'success', data: { domains: [checked] } } },
      ],
    }
    const stream = events[path]
    if (stream) response.writeHead(200).end(stream.map((one) => `${JSON.stringify(one)}\n`).join(''))
    else if (request.method === 'GET' && ANSWERS[path])
      response.writeHead(200).end(JSON.stringify({ status: 'success', data: ANSWERS[path] }))
    else {
      const error = {
        code: 'invalid_request',
        message: EVIL,
        hint: EVIL,
        request_id: EVIL,
        docs: EVIL,
        errors: [{ pointer: `/${EVIL}`, code: EVIL, message: EVIL }],
      }
      response.writeHead(400).end(JSON.stringify({ status: 'error', error }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const COMMANDS: readonly (readonly string[])[] = [
  ['suggest', 'a bakery', '--rationale'],
  ['check', 'a.com'],
  ['history'],
  ['history', 'show', ID],
  ['favorites'],
  ['favorites', 'changes', ID],
  ['batch', 'status'],
  ['batch', 'status', ID],
  ['usage'],
  ['keys'],
  // An error response with a hostile text.
  ['favorites', 'add', 'a.com'],
  ['history', 'delete', ID],
]

const env = () => ({ NAMEWRIGHT_URL: url, NAMEWRIGHT_API_KEY: 'nw_a-key' })

describe('on a terminal', () => {
  test.for(COMMANDS.map((args) => ({ line: args.join(' '), args })))(
    'namewright $line prints no control characters',
    async ({ args }) => {
      // The screen throws at unexpected escape sequences and control characters.
      const [stdout, stderr] = [createScreen(100), createScreen(400)]
      await runCli(args, { env: env(), stdout, stderr })
      const shown = [...stdout.lines(), ...stderr.lines()].join('\n')
      expect(shown).toContain('good')
      expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
      expect(stdout.raw() + stderr.raw()).not.toContain('\x1b]')
      expect(stdout.isCursorShown()).toBe(true)
    },
  )
})

describe('elsewhere', () => {
  // oxlint-disable-next-line no-control-regex -- that is what it is about
  const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

  const LINES = COMMANDS.flatMap((args) =>
    (args[1] === 'delete' ? [[]] : [[], ['--json'], ['--ndjson'], ['--csv']]).map((format) => [...args, ...format]),
  )
  test.for(LINES.map((args) => ({ line: args.join(' '), args })))(
    'namewright $line has no control characters in it',
    async ({ args }) => {
      const ran = await runCli(args, { env: env() })
      expect(ran.stdout + ran.stderr).toContain('good')
      expect(ran.stdout + ran.stderr).not.toMatch(CONTROLS)
    },
  )

  test('JSON has the value that the service sent', async () => {
    const ran = await runCli(['favorites', '--json'], { env: env() })
    expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(JSON.stringify([favorite])))
  })
})
