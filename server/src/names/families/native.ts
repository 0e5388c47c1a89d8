/**
 * Names of the language asked for, written by hand for the aspects: Feierabend, おかえり, Madrugada. Never translations.
 *
 * People read them in their own letters; the label is what a native would type instead of them (romanised, accents
 * folded the way the language folds them), or on request the letters themselves, as an internationalised label.
 */
import { domainToASCII } from 'node:url'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Lead } from '../understand/understand.ts'
import { fold } from '../understand/tokens.ts'
import type { Draft } from './draft.ts'

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae' }
// Who writes two letters for one with dots or a ring.
const UNFOLDING = new Set(['de', 'da', 'no', 'nb'])

export function* native(knowledge: Knowledge, leads: readonly Lead[], language: string, idn: boolean): Iterable<Draft> {
  const names = knowledge.native.get(language)
  if (names === undefined) return
  for (const lead of leads) {
    const own = names.of(lead.aspect)
    for (const [place, { name, romanised, meaning }] of own.entries()) {
      const words = (romanised === '' ? unfold(name, language) : romanised).split(/[ '’-]+/)
      const letters = idn ? domainToASCII(name.toLowerCase().replaceAll(/[ '’-]/g, '')) : words.join('')
      yield {
        label: letters,
        parts: letters.startsWith('xn--') ? [letters] : words,
        apart: words.length > 1,
        family: 'native',
        kind: 'foreign',
        style: words.length > 1 ? 'short_phrase' : 'foreign',
        lead,
        rank: place / own.length,
        written: -1,
        image: meaning,
        native: name,
      }
    }
  }
}

export function unfold(name: string, language: string): string {
  const lower = name.toLowerCase()
  return fold(UNFOLDING.has(language) ? lower.replaceAll(/[äöüåøæ]/g, (letter) => UMLAUTS[letter]!) : lower)
}
