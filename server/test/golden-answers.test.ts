/**
 * The answers to two hundred fixed requests, as digests: names of the engine and of a scripted model, verdicts of the
 * sandbox registry, a clock that stands still. A change of the flow that is meant to change nothing leaves the file as it
 * is; where names or prices were changed on purpose, `pnpm test server/test/golden-answers.test.ts -u` writes it anew.
 */
import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NameProposal } from '@namewright/names'
import {
  type AllMessages,
  createSuggestionEncoder,
  type GenerateBody,
  type Names,
  openAvailability,
  openNames,
  openPrices,
  openSandbox,
  parseGenerateRequest,
  readMessages,
  shown,
  type Suffix,
  suggest,
  type SuggestContext,
  type SuggestOptions,
} from './source.ts'

const NOW = Date.UTC(2026, 10, 1)
const DEFAULT_SUFFIXES = ['com', 'io', 'app', 'net'] as Suffix[]
const never = new AbortController().signal

const DESCRIPTIONS = [
  'a bakery that delivers bread by bicycle',
  'accounting software for freelancers',
  'Software für Schreiner, die Aufträge und Stunden erfasst',
  'an app that reminds people to water their plants',
  'une école de voile pour enfants en Bretagne',
  'secure backup for dental practices',
  'ein Laden für gebrauchte Fahrräder in Leipzig',
  'una cafetería con libros y vinilos',
  '京都で着物をレンタルできる小さな店',
  'a marketplace for used camera lenses',
]
const MODEL_NAMES = [
  'Crumbfolk',
  'Loafwheel',
  'Velobaker',
  'Fernmate',
  'Sailbright',
  'Google',
  'Quillport',
  'Lenshaven',
]

/** Two hundred requests that use each option in many combinations. */
function bodyOf(seed: number): GenerateBody {
  const pick = (every: number, at: number, more: Partial<GenerateBody>) => (seed % every === at ? more : {})
  return {
    description: DESCRIPTIONS[seed % DESCRIPTIONS.length] ?? '',
    count: 1 + ((seed * 7) % 12),
    seed,
    ...pick(3, 1, { tlds: ['com'] }),
    ...pick(6, 2, { tlds: ['dev', 'io', 'de'] }),
    ...pick(14, 3, { tlds: ['startup'] }),
    ...pick(5, 1, { styles: ['compound', 'blend'] }),
    ...pick(20, 4, { styles: ['domain_hack', 'real_word'] }),
    ...pick(7, 2, { only_available: false }),
    ...pick(8, 3, { variants: true }),
    ...pick(9, 4, { max_price: 15 }),
    ...pick(50, 6, { max_price: 1 }),
    ...pick(11, 5, { language: 'fr' }),
    ...pick(4, 1, { verify: 'full' }),
    ...pick(10, 9, { premium: true }),
    ...pick(12, 7, { min_length: 5, max_length: 8 }),
    ...pick(13, 2, { country: 'DE' }),
    ...pick(16, 5, { like: ['mayfly'], exclude_words: ['bread'] }),
    ...pick(25, 3, { include_words: ['zzxq'] }),
    ...pick(4, 2, { include: ['evidence', 'pricing', 'score', 'rationale', 'understanding'] }),
  }
}

let naming: Names
let ctx: SuggestContext
let messages: AllMessages
beforeAll(async () => {
  messages = readMessages()
  const now = () => NOW
  const cache = { getMany: async (keys: readonly string[]) => keys.map(() => null), setMany: async () => {} }
  naming = openNames()
  const parts: Partial<SuggestContext> = {
    now,
    names: naming,
    prices: await openPrices(),
    availability: openAvailability({
      cache,
      local: [openSandbox(now)],
      screen: [],
      confirm: [],
      doubtsOf: () => ({ premiumProne: false, rdapLies: false }),
      now,
    }),
    availabilityMode: 'strict',
    sourceHealth: { troubles: () => [] },
    variants: ['get{}', '{}hq'],
  }
  ctx = parts as SuggestContext
})
afterAll(() => naming[Symbol.asyncDispose]())

const scripted: SuggestContext['languageModel'] = {
  isReusing: false,
  store: async () => {},
  async propose(_request, _signal, { onProposal }) {
    const proposals: readonly NameProposal[] = MODEL_NAMES.map((name) => ({ name, reason: `like ${name}` }))
    for (const proposal of proposals) onProposal?.(proposal)
    return proposals
  },
}

async function lineOf(seed: number): Promise<string> {
  const isStreamed = seed % 5 > 2
  const withModel = seed % 6 === 5
  const request = parseGenerateRequest(bodyOf(seed), {
    prices: ctx.prices,
    suffixes: DEFAULT_SUFFIXES,
    withModel,
    language: 'en',
    currency: undefined,
  })
  const texts = messages.get('en')!
  const encoder = createSuggestionEncoder(request, texts)
  const events: string[] = []
  const onUpdate: SuggestOptions['onUpdate'] = (...update) => {
    encoder.update(...update)
    for (const { event, data } of encoder.changes()) events.push(`${event} ${data}`)
  }
  const flow: SuggestContext = {
    ...ctx,
    availabilityMode: seed % 2 === 0 ? 'balanced' : 'strict',
    languageModel: withModel ? scripted : undefined,
  }
  const outcome = await suggest(flow, request, never, isStreamed ? { onUpdate } : {}).then(
    (generated) => ({
      generated,
      text: JSON.stringify(shown(generated, request, texts)),
    }),
    (error: Error) => ({ generated: undefined, text: error.message }),
  )
  const names = outcome.generated?.suggestions.map(({ proposal }) => proposal.name) ?? []
  const reason = outcome.generated?.shortfall?.reason ?? (outcome.generated ? '' : outcome.text)
  // While a model writes, the order of the events depends on the moment: there only the answer is fixed.
  const streamed = isStreamed && !withModel ? digest(events.join('\n')) : ''
  const columns = [seed, digest(outcome.text), streamed, names.length, names.slice(0, 3).join(' '), reason]
  return columns.join('\t').trimEnd()
}

/** Enough of it to tell two answers apart. */
function digest(text: string): string {
  return hash('sha256', text).slice(0, 12)
}

test('two hundred seeds have the answers that they always had', async () => {
  const lines: string[] = ['seed\tanswer\tevents\tcount\tfirst names\tshortfall']
  for (let seed = 0; seed < 200; seed++) lines.push(await lineOf(seed))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/answers.tsv')
})
