import { defineProvider } from './provider.ts'
import type { ModelEvent } from './provider.ts'

interface AnthropicEvent {
  readonly type?: unknown
  readonly delta?: { readonly type?: unknown; readonly text?: unknown; readonly stop_reason?: unknown } | null
  readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[]
  readonly stop_reason?: unknown
}

const EVENTS = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
])

export const anthropic = defineProvider({
  kind: 'anthropic',
  about: "Anthropic's messages",
  defaultUrl: 'https://api.anthropic.com/v1',
  isKeyRequired: true,
  headersOf: (key = '') => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  requestOf: ({ model, prompt, mostTokens }) => ({
    path: '/messages',
    body: {
      model,
      system: prompt.instructions,
      messages: [{ role: 'user', content: prompt.message }],
      max_tokens: mostTokens,
      stream: true,
    },
  }),
  eventOf(document): ModelEvent | undefined {
    const { type, delta, content, stop_reason } = (document ?? {}) as AnthropicEvent
    if (type === 'message' && Array.isArray(content)) {
      const texts = (content as NonNullable<AnthropicEvent['content']>).flatMap(({ text }) =>
        typeof text === 'string' ? text : [],
      )
      return { text: texts.join(''), isDeclined: stop_reason === 'refusal' }
    }
    if (typeof type !== 'string' || !EVENTS.has(type)) return undefined
    return {
      text: type === 'content_block_delta' && typeof delta?.text === 'string' ? delta.text : undefined,
      isDeclined: delta?.stop_reason === 'refusal',
    }
  },
})
