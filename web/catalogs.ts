/**
 * The texts of the app as modules, compiled by Lingui, so that no parser of messages has to be sent to anybody.
 *
 * `virtual:catalogs` is a table of what can be fetched: for each language `first`, which the files of the first load name,
 * `search`, which the results of a search need, and `rest`, which every other view needs as well. A reader fetches one
 * language, and mostly only the first two.
 *
 * `en-XA` is made up from English: every letter has an accent, every text is two fifths longer and stands in brackets. It
 * shows at once what is not translated and what does not fit.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { firstFiles } from './first-load.ts'

const TABLE = 'virtual:catalogs'
const PREFIX = 'virtual:catalog/'
const PSEUDO = 'en-XA'
const PARTS = ['first', 'search', 'rest'] as const
const SEARCH = ['account.json', 'handles.json', 'names.json', 'search.json', 'shell.json']
/** The page on privacy, which is long, and which few open first. */
const LATER = 'about.'

export function catalogs(folder: string, start: string): Plugin {
  let partOf = dividing(folder, start)
  return {
    name: 'catalogs',
    buildStart() {
      partOf = dividing(folder, start)
    },
    resolveId: (id) => (id === TABLE || id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${TABLE}`) return tableOf([...readdirSync(folder), PSEUDO])
      if (!id.startsWith(`\0${PREFIX}`)) return undefined
      const [part, language = ''] = id.slice(PREFIX.length + 1).split('/')
      const texts = readTexts(folder, language === PSEUDO ? 'en' : language)
      const wanted = Object.entries(texts).filter(([key]) => partOf(key) === part)
      const compiled = wanted.map(([key, text]) => {
        const message = compileMessage(text)
        return [key, language === PSEUDO ? accentedMessage(message) : message]
      })
      return `export default ${JSON.stringify(Object.fromEntries(compiled))}`
    },
  }
}

function dividing(folder: string, start: string): (key: string) => (typeof PARTS)[number] {
  const first = firstFiles(start)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  if (/\bt\(`/.test(first)) throw new Error('a file of the first load must write the ids of its texts out')
  const search = readTexts(folder, 'en', (file) => SEARCH.includes(file))
  const ids = new Set([...first.matchAll(/['"]([\w.]+)['"]/g)].map(([, id = '']) => id))
  return (key) => {
    if (ids.has(key)) return 'first'
    return Object.hasOwn(search, key) && !key.startsWith(LATER) ? 'search' : 'rest'
  }
}

function tableOf(languages: readonly string[]): string {
  const part = (name: string) =>
    languages.map((language) => `${JSON.stringify(language)}: () => import('${PREFIX}${name}/${language}')`).join(',')
  return `export default { ${PARTS.map((name) => `${name}: { ${part(name)} }`).join(',')} }`
}

export function readTexts(
  folder: string,
  language: string,
  isWanted = (_file: string): boolean => true,
): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name of readdirSync(join(folder, language)).toSorted()) {
    if (isWanted(name)) Object.assign(texts, JSON.parse(readFileSync(join(folder, language, name), 'utf8')))
  }
  return texts
}

type Compiled = ReturnType<typeof compileMessage>

const PLAIN = 'aeiouycnszAEIOUCNSZ'
const ACCENTED = 'áéíóúýçñšžÁÉÍÓÚÇÑŠŽ'

/** Only what people read: names of arguments and forms stay as they are. */
function accentedMessage(message: Compiled): Compiled {
  const parts: unknown[] = typeof message === 'string' ? [message] : message
  return ['⟦', ...parts.map(accentedPart), '⟧'] as Compiled
}

function accentedPart(part: unknown): unknown {
  if (typeof part === 'string') return accented(part)
  if (!Array.isArray(part)) return part
  const [name, kind, forms] = part as [string, string?, Record<string, unknown>?]
  if (typeof forms !== 'object' || forms === null) return part
  const accentedForms = Object.entries(forms).map(([form, text]) => [
    form,
    form === 'offset' ? text : Array.isArray(text) ? text.map(accentedPart) : accentedPart(text),
  ])
  return [name, kind, Object.fromEntries(accentedForms)]
}

function accented(text: string): string {
  // Tags of rich texts are not read by people.
  const letters = text.replaceAll(/<\/?\d+\/?>|[a-z]/gi, (found) => ACCENTED[PLAIN.indexOf(found)] ?? found)
  return letters.trim().length < 4 ? letters : `${letters}${'·'.repeat(Math.ceil(letters.length * 0.4))}`
}
