/**
 * The voices of this machine. Those that a browser gets from elsewhere are left out, because a name that is said aloud
 * would be sent there. Some browsers know their voices only a while after they were first asked for.
 */
import { useStore, createStore } from '../../store.ts'

const voices = createStore<readonly SpeechSynthesisVoice[]>([])

if ('speechSynthesis' in globalThis) {
  const update = () => voices.change(() => speechSynthesis.getVoices().filter(({ localService }) => localService))
  update()
  speechSynthesis.addEventListener('voiceschanged', update)
}

/** One that speaks the language, of the same country if there is one. */
export function useVoice(language: string): SpeechSynthesisVoice | undefined {
  const all = useStore(voices)
  const wanted = language.toLowerCase()
  const fits = all.filter(({ lang }) => baseOf(lang) === baseOf(wanted))
  return fits.find(({ lang }) => lang.toLowerCase().replace('_', '-') === wanted) ?? fits[0]
}

const baseOf = (language: string) => language.toLowerCase().split(/[-_]/)[0]
