/**
 * The names that the service gives over HTTP on the pressured registry: a node with a language model that answers from a
 * list of replies, and a resolver that knows which labels are taken.
 */
import { startApp } from '../../server/test/start-app.ts'
import { answerTo, openFakeResolver } from '../../server/test/internet/fake-resolver.ts'
import { openModelServer } from '../../server/test/internet/model-server.ts'
import type { Pressure } from '../pressure.ts'
import type { Described } from './sheet.ts'

export interface Reply {
  readonly message: string
  readonly reply: string
}

export interface Asked {
  /** By description: the names of the service with the model, and without. */
  readonly withModel: ReadonlyMap<string, readonly string[]>
  readonly builtIn: ReadonlyMap<string, readonly string[]>
  /** Requests to the model that no reply fits. What is above counts only when there are none. */
  readonly unanswered: readonly { readonly instructions: string; readonly message: string }[]
}

const PATIENT = { deadline_ms: 30_000, tlds: ['com'] }

export async function askService(
  described: readonly Described[],
  { pressure, replies, count }: { pressure: Pressure; replies: readonly Reply[]; count: number },
): Promise<Asked> {
  const known = new Map(replies.map(({ message, reply }) => [message, reply]))
  const unanswered: { instructions: string; message: string }[] = []
  await using model = await openModelServer()
  model.reply = ({ json }) => {
    const [instructions, message] = (json.messages as { content: string }[]).map(({ content }) => content)
    const reply = known.get(message ?? '')
    if (reply === undefined) unanswered.push({ instructions: instructions ?? '', message: message ?? '' })
    return { text: reply ?? '- Nobody Has Answered\n' }
  }
  const resolver = await openFakeResolver((query, domain) => {
    const [label = '', ...zone] = domain.split('.')
    return [answerTo(query, pressure.isTaken(label) ? 'noerror' : 'nxdomain', { zone: zone.join('.') })]
  })
  try {
    await using world = await startApp({ own: true })
    const node = await world.startNodeProcess({
      NAMEWRIGHT_DNS_RESOLVERS: resolver.address,
      NAMEWRIGHT_MODEL: 'openai-compatible:from-a-list',
      NAMEWRIGHT_MODEL_URL: model.url,
      NAMEWRIGHT_MODEL_DEADLINE_MS: '20000',
    })
    const { secret: key } = await world.makeKey(await world.makeAccount())
    const ask = async (description: string, quality: string) => {
      const { status, text, json } = await node.call('/v1/generate', {
        key,
        body: { description, count, quality, ...PATIENT },
      })
      if (status !== 200) throw new Error(text)
      return (json.data.suggestions as { name: string }[]).map(({ name }) => name)
    }
    const [withModel, builtIn] = [new Map<string, string[]>(), new Map<string, string[]>()]
    for (const { id, description } of described) {
      withModel.set(id, await ask(description, 'best'))
      builtIn.set(id, await ask(description, 'fast'))
    }
    return { withModel, builtIn, unanswered }
  } finally {
    await resolver.close()
  }
}
