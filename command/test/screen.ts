/** A minimal terminal emulator: the screen after everything that was written to it. */
import { widthOf } from '../src/width.ts'

export interface Screen {
  write(text: string): void
  readonly isTTY: true
  readonly columns: number
  readonly rows: number
  /** The current screen, without colors. */
  lines(): string[]
  /** The screen after each write. */
  readonly frames: readonly string[]
  /** Everything that was written. */
  raw(): string
  isCursorShown(): boolean
}

// oxlint-disable-next-line no-control-regex -- that is what a terminal understands
const PIECE = /\x1b\[(\??)(\d*)([A-Za-z])|[^\x1b]|\x1b/gu

export function createScreen(columns: number, rows = 40): Screen {
  const lines: string[] = ['']
  const frames: string[] = []
  let at = 0
  let column = 0
  let isCursorShown = true
  let all = ''

  function command(isPrivate: boolean, number: number, letter: string): void {
    if (isPrivate && number === 25) isCursorShown = letter === 'h'
    else if (isPrivate || letter === 'm') return
    else if (letter === 'A') at = Math.max(0, at - (number || 1))
    else if (letter === 'K') lines[at] = (lines[at] ?? '').slice(0, column)
    else if (letter === 'J') {
      lines[at] = (lines[at] ?? '').slice(0, column)
      lines.length = at + 1
    } else throw new Error(`unexpected escape sequence: ${letter}`)
  }

  function put(one: string): void {
    if (one === '\n') {
      at += 1
      column = 0
      lines[at] ??= ''
    } else if (one === '\r') column = 0
    else if (one < ' ' || (one >= '\x7f' && one <= '\x9f'))
      throw new Error(`a control character reached the terminal: ${JSON.stringify(one)}`)
    else {
      const line = lines[at] ?? ''
      lines[at] = line.slice(0, column) + one + line.slice(column + one.length)
      column += one.length
    }
  }

  return {
    isTTY: true,
    columns,
    rows,
    frames,
    write(text) {
      all += text
      for (const [one, mark, number = '', letter] of text.matchAll(PIECE))
        if (letter === undefined) put(one)
        else command(mark === '?', Number(number), letter)
      const tooWide = lines.find((line) => widthOf(line) > columns)
      if (tooWide !== undefined) throw new Error(`wider than ${columns}: ${tooWide}`)
      frames.push(lines.join('\n').trimEnd())
    },
    lines: () => lines.join('\n').trimEnd().split('\n'),
    raw: () => all,
    isCursorShown: () => isCursorShown,
  }
}
