/** The built n8n node, run by a stand-in for n8n: what it sends, which items it returns, and how it fails. */
import type { INodeType, JsonObject } from 'n8n-workflow'
import type { CheckRequest, GenerateRequest, NamesRequest } from 'namewright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json, openScripted, success } from '../../sdk/test/scripted.ts'
import { checked, entry, everyVerdict, generated, names } from './answers.ts'
import { buildPackage, runNode } from './n8n-host.ts'
import type { Built } from './n8n-host.ts'

const GENERATE = { operation: 'generate', description: 'a bakery', count: 2 }
const CHECK = { operation: 'checkDomains', domains: 'a.com' }

let built: Built
let node: INodeType
beforeAll(() => {
  built = buildPackage()
  node = built.load('dist/nodes/Namewright/Namewright.node.js', 'Namewright') as INodeType
})
afterAll(() => built[Symbol.dispose]())

/** Runs one item against a service with this answer. */
async function ask(parameters: Readonly<Record<string, unknown>>, data: object) {
  await using service = await openScripted(success(data))
  const output = await runNode(node, { baseUrl: `${service.url}/`, items: [parameters] })
  const [request] = service.requests
  return { request, body: JSON.parse(request?.body ?? 'null') as unknown, items: output.map((item) => item.json) }
}

describe('requests', () => {
  test('generate sends the description, the count and what was filled in', async () => {
    const options = { tlds: 'com, io', language: '', currency: 'EUR', maxPrice: 0, styles: [] }
    const { request, body } = await ask({ ...GENERATE, options }, generated)
    expect(request).toMatchObject({ method: 'POST', url: '/v1/generate' })
    expect(request?.headers.authorization).toBe('Bearer nw_test')
    expect(body).toEqual({
      description: 'a bakery',
      count: 2,
      include: ['evidence', 'rationale'],
      tlds: ['com', 'io'],
      currency: 'EUR',
      max_price: 0,
    } satisfies GenerateRequest)
  })

  test('domains are split at commas, spaces and lines', async () => {
    const options = { checkAgain: true, forSale: true }
    const parameters = { operation: 'checkDomains', domains: ' a.com,b.io\nc.dev ;', options }
    const { request, body } = await ask(parameters, { domains: [] })
    expect(request?.url).toBe('/v1/domains/check')
    expect(body).toEqual({ domains: ['a.com', 'b.io', 'c.dev'], verify: 'full', for_sale: true } satisfies CheckRequest)
  })

  test('names keep their spaces, and an expression may give a list', async () => {
    const options = { include: ['packages'] }
    const { request, body } = await ask({ operation: 'checkNames', names: 'storkloom, Blue Heron', options }, { names })
    expect(request?.url).toBe('/v1/names/check')
    expect(body).toEqual({ names: ['storkloom', 'Blue Heron'], include: ['packages'] } satisfies NamesRequest)
    const listed = await ask({ operation: 'checkNames', names: ['a, b'] }, { names })
    expect(listed.body).toEqual({ names: ['a, b'] })
  })

  test('a redirect is not followed: no other server gets the key', async () => {
    await using other = await openScripted(success(generated))
    await using service = await openScripted((response) => void response.writeHead(307, { location: other.url }).end())
    await expect(runNode(node, { baseUrl: service.url, items: [GENERATE] })).rejects.toThrow('(unexpected)')
    expect(other.requests).toEqual([])
  })
})

describe('items', () => {
  test('each suggestion is an item with its domains, and those that can be registered', async () => {
    const { items } = await ask(GENERATE, generated)
    expect(items.map(({ name, available_domains: free }) => [name, free])).toEqual([
      ['Storkloom', ['storkloom.io']],
      ['Breadwheel', ['breadwheel.com']],
    ])
    expect(items[0]?.['domains']).toMatchObject([
      { domain: 'storkloom.com', available: false, status: 'taken' },
      { domain: 'storkloom.io', available: true, status: 'available', price: '$12.99' },
      { domain: 'storkloom.dev', available: false, status: 'unknown' },
    ])
  })

  test('a domain is available only if both fields say so; a contradiction is unknown', async () => {
    const { items } = await ask(CHECK, { domains: everyVerdict })
    expect(Object.fromEntries(items.map((item) => [item['domain'], [item['available'], item['status']]]))).toEqual({
      'available-true.com': [true, 'available'],
      'available-false.com': [false, 'unknown'],
      'premium-true.com': [true, 'premium'],
      'premium-false.com': [false, 'premium'],
      'for_sale-true.com': [false, 'unknown'],
      'for_sale-false.com': [false, 'for_sale'],
      'taken-true.com': [false, 'unknown'],
      'taken-false.com': [false, 'taken'],
      'reserved-true.com': [false, 'unknown'],
      'reserved-false.com': [false, 'reserved'],
      'restricted-true.com': [false, 'unknown'],
      'restricted-false.com': [false, 'restricted'],
      'unsupported-true.com': [false, 'unknown'],
      'unsupported-false.com': [false, 'unsupported'],
      'invalid-true.com': [false, 'unknown'],
      'invalid-false.com': [false, 'invalid'],
      'unknown-true.com': [false, 'unknown'],
      'unknown-false.com': [false, 'unknown'],
    })
  })

  test('a domain without a status, with a new one, or with a text as available, is unknown', async () => {
    const { status: _, ...bare } = entry('a.com', 'available')
    const strange = { ...entry('a.com', 'available'), available: 'unknown' }
    const { items } = await ask(CHECK, { domains: [bare, { ...bare, status: 'free_soon' }, strange] })
    expect(items).toMatchObject([
      { available: false, status: 'unknown' },
      { available: false, status: 'unknown' },
      { available: false, status: 'unknown' },
    ])
  })

  test('the unknown of a package registry is false, and no text that an IF node takes for true', async () => {
    const { items } = await ask({ operation: 'checkNames', names: 'storkloom' }, { names })
    expect(items).toMatchObject([
      {
        label: 'storkloom',
        available_domains: ['storkloom.io'],
        packages: [
          { namespace: 'npm', available: false, status: 'unknown', rule: 'not_found' },
          { namespace: 'pypi', available: false, status: 'taken' },
        ],
        code: [{ namespace: 'github', available: false, status: 'unknown' }],
      },
    ])
  })

  test('an item is paired with its input, and a shortfall is on every item', async () => {
    const shortfall = { wanted: 5, returned: 2, reason: 'deadline' }
    await using service = await openScripted(
      success({ ...generated, shortfall }),
      success({ domains: [checked('a.com', 'taken')] }),
    )
    const output = await runNode(node, { baseUrl: service.url, items: [GENERATE, CHECK] })
    expect(output.map(({ pairedItem }) => pairedItem.item)).toEqual([0, 0, 1])
    expect(output.slice(0, 2).map((item) => item.json['shortfall'])).toMatchObject([shortfall, shortfall])
  })
})

describe('failures', () => {
  const refusal = {
    status: 'error',
    error: {
      code: 'invalid_request',
      message: 'The request is invalid.',
      request_id: 'req-1',
      docs: 'https://names.example.com/docs/errors',
      hint: 'Correct the fields.',
      errors: [{ pointer: '/count', code: 'too_large', message: 'at most 100' }],
    },
  }

  test('an error has the code, the hint and the fields of the service', async () => {
    await using service = await openScripted(json(400, refusal))
    await expect(runNode(node, { baseUrl: service.url, items: [GENERATE] })).rejects.toMatchObject({
      message: 'The request is invalid. (invalid_request)',
      description: 'Correct the fields.\n/count: at most 100\nCode: invalid_request\nRequest: req-1',
      httpCode: '400',
      itemIndex: 0,
    })
  })

  test('a node that continues returns the error as an item, and the other items', async () => {
    await using service = await openScripted(json(400, refusal), success({ domains: [checked('a.com', 'taken')] }))
    const output = await runNode(node, { baseUrl: service.url, items: [CHECK, CHECK], continueOnFail: true })
    expect(output.map((item) => item.json)).toMatchObject([
      { error: 'The request is invalid.', code: 'invalid_request', hint: 'Correct the fields.', status: 400 },
      { domain: 'a.com', status: 'taken' },
    ])
  })

  const strange: readonly (readonly [what: string, data: unknown])[] = [
    ['no object', null],
    ['no list', {}],
    ['a list of something else', { domains: ['a.com'] }],
    ['a domain without a name', { domains: [{ available: true, status: 'available' }] }],
  ]
  test.for(strange)('a response with %s is unexpected, and never an item', async ([, data]) => {
    await using service = await openScripted(json(200, { status: 'success', data }))
    await expect(runNode(node, { baseUrl: service.url, items: [CHECK] })).rejects.toThrow('(unexpected)')
  })

  test('a page of a proxy is unexpected, with the address to check', async () => {
    await using service = await openScripted((response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'))
    const failed = runNode(node, { baseUrl: service.url, items: [CHECK] })
    await expect(failed).rejects.toMatchObject({ httpCode: '502', description: expect.stringContaining('Base URL') })
  })

  test('no names are a failure with the reason, and not an empty list', async () => {
    const shortfall = { wanted: 2, returned: 0, reason: 'availability_unknown', hint: 'Try again later.' }
    const failed = ask(GENERATE, { suggestions: [], shortfall })
    await expect(failed).rejects.toMatchObject({
      message: 'The service found no names (availability_unknown)',
      description: expect.stringContaining('Try again later.'),
    })
  })

  test('a service that cannot be reached, and an address that is none', async () => {
    const messages: JsonObject[] = []
    for (const baseUrl of [
      'http://127.0.0.1:1',
      'names.example.com',
      'ftp://a.example',
      'https://me:secret@a.example',
    ]) {
      const [item] = await runNode(node, { baseUrl, items: [CHECK], continueOnFail: true })
      messages.push(item?.json ?? {})
    }
    const bad = 'invalid_base_url'
    expect(messages.map(({ code }) => code)).toEqual(['no_response', bad, bad, bad])
    expect(JSON.stringify(messages)).not.toContain('secret')
  })
})
