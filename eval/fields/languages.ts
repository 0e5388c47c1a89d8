/**
 * How often the field of a description in another language is found. Many fields have three descriptions in every
 * language; one of them is held out in turn. Those of `native-fields.tsv` are by writers who saw only the label of a
 * random field.
 */
import { readFileSync } from 'node:fs'
import { countNativeClues, packNativeClassifier, readNativeFields } from '../../scripts/names/native-fields.ts'
import type { NativeField } from '../../scripts/names/native-fields.ts'
import { FOLDER } from '../../scripts/names/sources.ts'
import { openClassifier } from '../../server/src/names/knowledge/classifier.ts'
import type { Knowledge } from '../../server/src/names/knowledge/knowledge.ts'
import { readPacked, writePacked } from '../../server/src/names/knowledge/packed.ts'
import { plainNameRequest } from '../../server/src/names/plain-name-request.ts'
import { guessFields, isSure } from '../../server/src/names/understand/fields.ts'
import { nativeEvidence } from '../../server/src/names/understand/native-clues.ts'
import { tokensOf } from '../../server/src/names/understand/tokens.ts'
import { understand } from '../../server/src/names/understand/understand.ts'

const FOLDS = 3
const MOST = 5

interface NativeAnswer {
  readonly isDetected: boolean
  readonly place: number
  readonly isSure: boolean
}

export function measureLanguages(knowledge: Knowledge, order: readonly string[]): void {
  for (const [language, fields] of readNativeFields(FOLDER, new Set(order))) {
    const answers = Array.from({ length: FOLDS }, (_, fold) => holdOut(knowledge, order, language, fields, fold)).flat()
    print(language, answers)
  }
  print('by others', ofOtherWriters(knowledge, order))
}

function print(what: string, answers: readonly NativeAnswer[]): void {
  const share = (isIt: (answer: NativeAnswer) => boolean, of = answers) =>
    ((100 * of.filter(isIt).length) / of.length).toFixed(1)
  const sure = answers.filter((answer) => answer.isSure)
  console.log(
    `${what}: ${answers.length} descriptions, ${share((one) => one.isDetected)} % taken for it; ` +
      `${share((one) => one.place === 0)} % first, ${share((one) => one.place >= 0 && one.place < 2)} % among two; ` +
      `${share((one) => one.isSure)} % sure, ${share((one) => one.place === 0, sure)} % of them right`,
  )
}

function ofOtherWriters(knowledge: Knowledge, order: readonly string[]): NativeAnswer[] {
  const rows = readFileSync(new URL('../data/native-fields.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return rows.map((row) => {
    const [language = '', field = '', text = ''] = row.split('\t')
    const { fields: guessed, language: detected } = understand(knowledge, plainNameRequest(text))
    const right = order.indexOf(field)
    return {
      isDetected: detected === language,
      place: guessed.findIndex((guess) => guess.field === right),
      isSure: isSure(guessed[0]),
    }
  })
}

function holdOut(
  knowledge: Knowledge,
  order: readonly string[],
  language: string,
  fields: readonly NativeField[],
  fold: number,
): NativeAnswer[] {
  const known = fields.map((one) => ({ ...one, descriptions: one.descriptions.filter((_, at) => at !== fold) }))
  const counts = countNativeClues(order, known)
  const byField = openClassifier(readPacked(writePacked(new Map(packNativeClassifier('x', counts))).buffer), 'x')
  return fields.flatMap(({ field, descriptions }) => {
    const text = descriptions[fold]
    if (text === undefined) return []
    const { clues, vector, language: detected } = understand(knowledge, { ...plainNameRequest(text), language })
    const native = nativeEvidence(
      { byField, generic: knowledge.fields.native.get(language)?.generic ?? [] },
      tokensOf(text),
    )
    const right = order.indexOf(field)
    const guessed = guessFields(knowledge.fields, clues, vector, MOST, native)
    return [
      {
        isDetected: detected === language,
        place: guessed.findIndex((guess) => guess.field === right),
        isSure: isSure(guessed[0]),
      },
    ]
  })
}
