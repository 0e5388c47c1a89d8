import { chatCompletionsWith } from './chat-completions.ts'
import { defineProvider } from './provider.ts'

export const llamaCpp = defineProvider({
  kind: 'llama.cpp',
  about: 'The server of llama.cpp, on this machine unless the URL says otherwise',
  defaultUrl: 'http://127.0.0.1:8080/v1',
  isKeyRequired: false,
  // Switches thinking off in the templates that have it, and reuses the evaluated instructions.
  ...chatCompletionsWith(() => ({ chat_template_kwargs: { enable_thinking: false }, cache_prompt: true })),
})
