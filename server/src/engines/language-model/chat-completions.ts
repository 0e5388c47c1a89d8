/** The chat completions of OpenAI, which most servers speak. */
import type { ModelEvent, ModelProvider } from './provider.ts'

interface Completion {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: unknown } | null
    readonly message?: { readonly content?: unknown; readonly refusal?: unknown } | null
    readonly finish_reason?: unknown
  }[]
}

export function chatCompletionsWith(
  more: (url: string) => object,
): Pick<ModelProvider, 'headersOf' | 'requestOf' | 'eventOf'> {
  return {
    headersOf: (key): Readonly<Record<string, string>> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
    requestOf: ({ model, url, prompt, mostTokens }) => ({
      path: '/chat/completions',
      body: {
        model,
        messages: [
          { role: 'system', content: prompt.instructions },
          { role: 'user', content: prompt.message },
        ],
        stream: true,
        // OpenAI's newer models reject the old name of the limit; other servers know only that one.
        [new URL(url).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens']: mostTokens,
        ...more(url),
      },
    }),
    eventOf(document): ModelEvent | undefined {
      const { choices } = (document ?? {}) as Completion
      if (!Array.isArray(choices)) return undefined
      const [choice] = choices as NonNullable<Completion['choices']>
      const content = choice?.delta?.content ?? choice?.message?.content
      return {
        text: typeof content === 'string' ? content : undefined,
        isDeclined: choice?.finish_reason === 'content_filter' || typeof choice?.message?.refusal === 'string',
      }
    },
  }
}
