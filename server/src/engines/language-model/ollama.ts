import { chatCompletionsWith } from './chat-completions.ts'
import { defineProvider } from './provider.ts'

export const ollama = defineProvider({
  kind: 'ollama',
  about: 'Ollama, on this machine unless the URL says otherwise',
  defaultUrl: 'http://127.0.0.1:11434/v1',
  isKeyRequired: false,
  // A model that thinks first takes too long. Other servers might reject the field.
  ...chatCompletionsWith(() => ({ reasoning_effort: 'none' })),
})
