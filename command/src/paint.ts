/** Terminal colors. They never carry meaning alone: a word or a symbol says the same. */
import type { Output } from './streams.ts'

const CODES = { bold: '1', dim: '2', green: '32', red: '31', yellow: '33', magenta: '35', cyan: '36' } as const
export type Colour = keyof typeof CODES

export type Paint = (text: string, colour: Colour | undefined) => string

export const COLOUR_CHOICES: readonly string[] = ['auto', 'always', 'never']

/** https://no-color.org: NO_COLOR counts when it is not empty; --color takes precedence. */
export function createPaint(output: Output, env: Readonly<Record<string, string | undefined>>, choice?: string): Paint {
  const byItself = output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const isOn = choice === 'always' || (choice !== 'never' && byItself)
  return (text, colour) => (isOn && colour !== undefined && text !== '' ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text)
}
