/** Lists that are written as lines: one address, one origin, one redirect to a line. */
import { NamewrightError } from '@namewright/client'
import { say } from '../../i18n/i18n.ts'

export function linesOf(text: string): readonly string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** What is wrong with the list, or with the first line of it that is refused; `none` where there is none and should be. */
export function linesFault(error: unknown, pointer: string, text: string, none?: string): string | undefined {
  if (!(error instanceof NamewrightError)) return undefined
  const found = error.errors.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
  if (!found) return undefined
  if (found.code === 'too_few' && none !== undefined) return none
  const line = linesOf(text)[Number(found.pointer.slice(pointer.length + 1) || Number.NaN)]
  return line === undefined ? found.message : say('settings.lineWrong', { line, message: found.message })
}
