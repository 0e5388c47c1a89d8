import { chatCompletionsWith } from './chat-completions.ts'
import { defineProvider } from './provider.ts'

export const openaiCompatible = defineProvider({
  kind: 'openai-compatible',
  about:
    'Any server of chat completions: OpenAI, Azure, Bedrock, Mistral, OpenRouter, vLLM, llama.cpp, LM Studio, Docker',
  defaultUrl: undefined,
  isKeyRequired: false,
  ...chatCompletionsWith(() => ({})),
})
