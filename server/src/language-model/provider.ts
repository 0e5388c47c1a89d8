/**
 * Which server is asked, in which protocol: Anthropic's messages, or the chat completions that all others speak.
 *
 * Loaded only when a model is configured: the SDK takes a seventh of a second and 30 MB.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, Output } from 'ai'
import type { LanguageModel } from 'ai'
import type { Config } from '../config/config.ts'
import type { Ask } from '../model/ask.ts'
import type { Outbound } from '../outbound.ts'
import { faultOf } from './fault.ts'
import { createModelFetch } from './model-fetch.ts'
import type { Fault } from './outcome.ts'
import { INSTRUCTIONS, writeQuestion } from './prompt.ts'
import { readProposals } from './proposals.ts'

export type ModelConfig = NonNullable<Config['languageModel']>

export interface Told extends Fault {
  readonly names: readonly string[]
}

/** Never rejects. */
export type AskModel = (ask: Ask, wanted: number, signal: AbortSignal) => Promise<Told>

// Thirty names are about 300; what is left is for models that write more than they were asked for.
const MOST_TOKENS = 1_000

export const DEFAULT_URL = {
  anthropic: 'https://api.anthropic.com/v1',
  ollama: 'http://127.0.0.1:11434/v1',
  // The configuration insists on one.
  'openai-compatible': '',
}

// Only what every server's grammar can hold a model to; how many and how long is in the question.
const ANSWER = jsonSchema<{ names: readonly unknown[] }>(
  {
    type: 'object',
    properties: { names: { type: 'array', items: { type: 'string' } } },
    required: ['names'],
    additionalProperties: false,
  },
  {
    validate: (value) =>
      typeof value === 'object' && value !== null && 'names' in value && Array.isArray(value.names)
        ? { success: true, value: { names: value.names as unknown[] } }
        : { success: false, error: new Error('no list of names') },
  },
)

export function openProvider(config: ModelConfig, send: Outbound['send']): AskModel {
  // The SDK would write to stderr which of a model's features it could not use.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const model = modelOf(config, send)
  return async (ask, wanted, signal) => {
    try {
      const result = await generateText({
        model,
        instructions: INSTRUCTIONS,
        messages: [{ role: 'user', content: writeQuestion(ask, wanted) }],
        output: Output.object({ schema: ANSWER, name: 'names' }),
        maxOutputTokens: MOST_TOKENS,
        // Names are wanted in a second or two. Servers we know nothing of might refuse the field.
        ...(config.kind === 'openai-compatible' ? {} : { reasoning: 'none' }),
        maxRetries: 0,
        abortSignal: signal,
      })
      if (result.finishReason === 'content-filter') return { outcome: 'declined', names: [] }
      const names = readProposals(result.output.names, wanted)
      return { outcome: names.length > 0 ? 'answered' : 'no_names', names }
    } catch (error) {
      return { ...faultOf(error), names: [] }
    }
  }
}

function modelOf({ kind, name, url = DEFAULT_URL[kind], key, deadlineMs }: ModelConfig, send: Outbound['send']) {
  const fetch = createModelFetch({ baseUrl: url, timeoutMs: deadlineMs, send })
  // Without a key of ours the SDK would look for one in the environment.
  if (kind === 'anthropic') return createAnthropic({ baseURL: url, apiKey: key?.reveal() ?? '', fetch })(name)
  const model: LanguageModel = createOpenAICompatible({
    name: kind,
    baseURL: url,
    ...(key === undefined ? {} : { apiKey: key.reveal() }),
    supportsStructuredOutputs: true,
    fetch,
    transformRequestBody: (body) => (new URL(url).hostname === 'api.openai.com' ? withNewLimit(body) : body),
  })(name)
  return model
}

/** OpenAI's newer models refuse the old name of the limit; other servers know only that one. */
function withNewLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}
