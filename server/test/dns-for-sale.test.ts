/** `_for-sale` records (RFC 10023), from real servers and from hostile ones. */
import { afterEach, expect, test } from 'vitest'
import { createForSale, type Domain, openDnsClient, readOffer } from './source.ts'
import { answerTo, openFakeResolver } from './internet/fake-resolver.ts'
import { FOR_SALE_DOMAIN } from './internet/zones.ts'
import { timeoutOf } from './timeout-of.ts'
import { runningMs } from '../../scripts/test/running-ms.ts'

const never = new AbortController().signal
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

function find(resolver: string, domains: readonly string[], signal = never) {
  const client = openDnsClient([resolver], { mostInFlight: 16 })
  opened.push(client)
  return createForSale({ client }).findOffers(domains as Domain[], signal)
}

function offerOf(...records: (string | string[])[]) {
  return readOffer(records.map((record) => [record].flat().map((text) => Buffer.from(text, 'utf8'))))
}

test('an offer is found with its words, its link and its price, and only where there is one', async () => {
  const offers = await find('127.0.0.1:5320', [FOR_SALE_DOMAIN, `nothing.${FOR_SALE_DOMAIN}`, FOR_SALE_DOMAIN])
  expect([...offers]).toEqual([
    [FOR_SALE_DOMAIN, { text: 'Ask for a price', uri: 'https://sales.example/for-sale-for-sure', value: 'USD750' }],
  ])
})

test('the version alone, a code or a tag of a later day say "for sale" and no more', () => {
  expect(offerOf('v=FORSALE1;')).toEqual({})
  expect(offerOf('v=FORSALE1;fcod=XX-123')).toEqual({})
  expect(offerOf('v=FORSALE1;fnew=1')).toEqual({})
})

test('the order in which records come does not matter', () => {
  const records = ['v=FORSALE1;fval=USD9', 'v=FORSALE1;fval=EUR8', 'v=FORSALE1; ftxt=b', 'v=FORSALE1;ftxt=ä']
  expect(offerOf(...records)).toEqual({ value: 'EUR8', text: 'b' })
  expect(offerOf(...records.toReversed())).toEqual({ value: 'EUR8', text: 'b' })
})

test.each([
  ['no record'],
  ['another record', 'v=spf1 -all'],
  ['another version', 'v=FORSALE2;ftxt=a'],
  ['another case', 'V=forsale1;ftxt=a'],
  ['no semicolon', 'v=FORSALE1'],
  ['something before the version', ' v=FORSALE1;ftxt=a'],
  ['two strings', ['v=FORSALE1;', 'ftxt=a']],
  ['an empty record', []],
  ['an empty tag', 'v=FORSALE1;ftxt='],
  ['no tag', 'v=FORSALE1;for you'],
  ['a control character', 'v=FORSALE1;ftxt=a\u0007'],
  ['a line break', 'v=FORSALE1;ftxt=a\nb'],
  ['an escape sequence', 'v=FORSALE1;ftxt=\u001B[2J'],
  ['text turned around', 'v=FORSALE1;ftxt=\u202Emoc'],
  ['hidden text', 'v=FORSALE1;ftxt=a\u200Bb'],
  ['a script', 'v=FORSALE1;furi=javascript:alert(1)'],
  ['a script in capitals', 'v=FORSALE1;furi=JaVaScript:alert(1)'],
  ['data', 'v=FORSALE1;furi=data:text/html,<script>'],
  ['plain http', 'v=FORSALE1;furi=http://example.com/'],
  ['a link that is none', 'v=FORSALE1;furi=https://'],
  ['a link with white space', 'v=FORSALE1;furi=https://example.com/a b'],
  ['a link with quotes', 'v=FORSALE1;furi=https://example.com/"onclick="'],
  ['a link with a user', 'v=FORSALE1;furi=https://bank.example@evil.example/'],
  ['a relative link', 'v=FORSALE1;furi=//evil.example'],
  ['mail with a body', 'v=FORSALE1;furi=mailto:a@example.com?body=x'],
  ['mail to nobody', 'v=FORSALE1;furi=mailto:'],
  ['a price without a currency', 'v=FORSALE1;fval=750'],
  ['a price with words', 'v=FORSALE1;fval=USD750 or less'],
  ['a negative price', 'v=FORSALE1;fval=USD-750'],
] as const)('%s is no offer', (_, ...records) => {
  expect(offerOf(...records.map((record) => (typeof record === 'string' ? record : [...record])))).toBeUndefined()
})

test('a bad record does not spoil a good one', () => {
  expect(offerOf('v=FORSALE1;furi=javascript:alert(1)', 'v=FORSALE1;furi=mailto:sales@example.com')).toEqual({
    uri: 'mailto:sales@example.com',
  })
})

test('bytes that are no text, and records beyond the sixteenth, are not read', () => {
  expect(readOffer([[Buffer.from('v=FORSALE1;ftxt=\xff', 'latin1')]])).toBeUndefined()
  const many = Array.from({ length: 17 }, (_, index) => (index < 16 ? 'v=other' : 'v=FORSALE1;'))
  expect(offerOf(...many)).toBeUndefined()
})

test('broken records and silent servers are no offer, and the signal ends the waiting', async () => {
  const fake = await openFakeResolver((query, domain) => {
    if (domain.includes('silent')) return []
    const answer = answerTo(query, 'noerror', { texts: [['v=FORSALE1;ftxt=hello']] })
    if (domain.includes('long')) answer[query.length + 12] = 255
    if (domain.includes('cut')) return [answer.subarray(0, -3)]
    if (domain.includes('many')) answer.writeUInt16BE(0xffff, 6)
    return [answer]
  })
  opened.push(fake)
  const start = runningMs()
  const domains = ['silent.com', 'long.com', 'cut.com', 'many.com', 'good.com', `${'a.'.repeat(122)}too-long.com`]
  const offers = await find(fake.address, domains, timeoutOf(300))
  expect([...offers]).toEqual([['good.com', { text: 'hello' }]])
  expect(runningMs() - start).toBeLessThan(1000)
  expect(fake.asked.some((domain) => domain.includes('too-long'))).toBe(false)
})
