/** Every provider that can be configured, by its kind in NAMEWRIGHT_MODEL. */
import type { ModelKind } from '../../platform/config/parse.ts'
import { anthropic } from './anthropic.ts'
import { llamaCpp } from './llama-cpp.ts'
import { ollama } from './ollama.ts'
import { openaiCompatible } from './openai-compatible.ts'
import type { ModelProvider } from './provider.ts'

export const PROVIDERS: { readonly [Kind in ModelKind]: ModelProvider<Kind> } = {
  'openai-compatible': openaiCompatible,
  anthropic,
  ollama,
  'llama.cpp': llamaCpp,
}
