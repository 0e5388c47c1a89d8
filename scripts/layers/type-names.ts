/**
 * One name, one type: no interface, type or class of `server/src` has the name of another, exported or not.
 *
 * A reader who searches for a name must find one thing. What is declared inside a function or a `declare module` has
 * its own scope and does not count.
 */
import type { Violation } from '../violation.ts'
import type { Module } from './module.ts'
import { SOURCE } from './rows.ts'

const DECLARES = new Set(['interface', 'type', 'class'])
const FOLLOWS = new Set(['=', '<', '{', 'extends', 'implements'])

interface Declared {
  readonly path: string
  readonly name: string
  readonly line: number
}

export function checkTypeNames(modules: readonly Module[]): Violation[] {
  const byName = Map.groupBy(modules.flatMap(declaredIn), ({ name }) => name)
  return [...byName.values()].flatMap(([first, ...others]) =>
    others.map(({ path, name, line }) => ({
      file: `${SOURCE}/${path}`,
      line,
      rule: 'type-name',
      advice: `${name} is also a type of ${first?.path ?? ''}: give each a name that says which it is`,
    })),
  )
}

function declaredIn({ path, tokens }: Module): Declared[] {
  let depth = 0
  return tokens.flatMap(({ kind, text, line }, at) => {
    if (kind === 'mark' && text === '{') depth++
    if (kind === 'mark' && text === '}') depth--
    const [name, after] = [tokens[at + 1], tokens[at + 2]]
    const isDeclaration = depth === 0 && kind === 'word' && DECLARES.has(text) && FOLLOWS.has(after?.text ?? '')
    return isDeclaration && name?.kind === 'word' ? [{ path, name: name.text, line }] : []
  })
}
