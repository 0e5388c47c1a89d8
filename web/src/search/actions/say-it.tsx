import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { useVoice } from './voices.ts'

/** Says the name aloud, in the voice of its language; not there where the browser has no such voice. */
export function SayIt({ name, language }: { readonly name: string; readonly language?: string | undefined }) {
  const { t, language: reading } = useText()
  const voice = useVoice(language ?? reading)
  if (!voice) return null
  const pronounce = () => {
    const words = new SpeechSynthesisUtterance(name)
    words.voice = voice
    words.lang = voice.lang
    // A little slower than normal speech, because the name is new to the listener.
    words.rate = 0.9
    speechSynthesis.cancel()
    speechSynthesis.speak(words)
  }
  return <IconButton icon="speaker" label={t('actions.sayIt', { name })} small onClick={pronounce} />
}
