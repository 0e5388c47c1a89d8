/**
 * Lua, as far as our scripts use it, so that the simulated Redis runs the very texts that the real one is sent. Whatever
 * is outside of that is refused when a script is first seen.
 *
 * A text becomes functions once. Numbers are doubles and texts are texts, as in Lua 5.1; nil is undefined.
 */
export type LuaValue = string | number | boolean | undefined | LuaTable | LuaFunction
export type LuaFunction = (...args: LuaValue[]) => LuaValue[]
export type LuaTable = Map<LuaValue, LuaValue>
export type LuaScript = (globals: ReadonlyMap<string, LuaValue>) => LuaValue[]

type Scope = { readonly names: Map<string, LuaValue>; readonly outer: Scope | undefined }
type Eval = (scope: Scope) => LuaValue[]
/** What was returned; undefined to go on. */
type Run = (scope: Scope) => LuaValue[] | undefined

const TOKEN =
  /\s+|--[^\n]*|([A-Za-z_]\w*)|(\d+(?:\.\d+)?)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\.\.|==|~=|<=|>=|[-+*/%<>=(){}[\].,;#:])/gy

interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign'
  readonly text: string
}

const WORDS = new Set(
  'and break do else elseif end false for function if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
)

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(source)
    if (!found) throw new Error(`this is not our Lua: ${source.slice(at, at + 40)}`)
    const [, name, number, single, double, sign] = found
    if (name !== undefined) tokens.push({ kind: WORDS.has(name) ? 'sign' : 'name', text: name })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (single !== undefined || double !== undefined) tokens.push({ kind: 'text', text: single ?? double ?? '' })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
  }
  return tokens
}

const isTrue = (value: LuaValue) => value !== undefined && value !== false

function numberOf(value: LuaValue): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) throw new Error(`Lua: a ${typeof value} is no number`)
  return number
}

export function textOf(value: LuaValue): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`Lua: a ${typeof value} is no text`)
  return String(value)
}

function isLess(a: LuaValue, b: LuaValue): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b
  if (typeof a === 'string' && typeof b === 'string') return a < b
  throw new Error('Lua: only numbers with numbers and texts with texts')
}

// The higher binds the closer.
const BINDING: Record<string, number> = {
  or: 1,
  and: 2,
  '<': 3,
  '>': 3,
  '<=': 3,
  '>=': 3,
  '~=': 3,
  '==': 3,
  '..': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}

const BINARY: Record<string, (a: LuaValue, b: LuaValue) => LuaValue> = {
  '<': isLess,
  '>': (a, b) => isLess(b, a),
  '<=': (a, b) => !isLess(b, a),
  '>=': (a, b) => !isLess(a, b),
  '==': (a, b) => a === b,
  '~=': (a, b) => a !== b,
  '..': (a, b) => textOf(a) + textOf(b),
  '+': (a, b) => numberOf(a) + numberOf(b),
  '-': (a, b) => numberOf(a) - numberOf(b),
  '*': (a, b) => numberOf(a) * numberOf(b),
  '/': (a, b) => numberOf(a) / numberOf(b),
  '%': (a, b) => numberOf(a) - Math.floor(numberOf(a) / numberOf(b)) * numberOf(b),
}

export function listOf(values: readonly LuaValue[]): LuaTable {
  return new Map(values.map((value, i) => [i + 1, value]))
}

/** Up to the first nil, as Redis answers it. */
export function itemsOf(table: LuaTable): LuaValue[] {
  const items: LuaValue[] = []
  for (let i = 1; table.get(i) !== undefined; i++) items.push(table.get(i))
  return items
}

function tableOf(value: LuaValue): LuaTable {
  if (!(value instanceof Map)) throw new Error('Lua: this is no table')
  return value
}

export const LIBRARY: ReadonlyMap<string, LuaValue> = new Map<string, LuaValue>([
  ['tonumber', (value) => [typeof value === 'boolean' || value === undefined ? refuse('tonumber') : findNumber(value)]],
  [
    'unpack',
    (table) =>
      Array.from({ length: Math.max(0, ...tableOf(table).keys().map(Number)) }, (_, i) => tableOf(table).get(i + 1)),
  ],
  [
    'math',
    new Map<LuaValue, LuaValue>([
      ['max', (...all) => [Math.max(...all.map(numberOf))]],
      ['min', (...all) => [Math.min(...all.map(numberOf))]],
      ['floor', (value) => [Math.floor(numberOf(value))]],
      ['ceil', (value) => [Math.ceil(numberOf(value))]],
    ]),
  ],
])

function refuse(what: string): never {
  throw new Error(`Lua: bad argument to ${what}`)
}

function findNumber(value: LuaValue): number | undefined {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? undefined : number
}

/** One pass over the tokens. A closure each: reading a block is reading its statements until a word that ends it. */
export function compileLua(source: string): LuaScript {
  const tokens = tokensOf(source)
  let at = 0
  const isNext = (text: string) => tokens[at]?.kind === 'sign' && tokens[at]?.text === text
  const take = (text: string) => (isNext(text) ? ++at > 0 : false)
  const want = (text: string) => {
    if (!take(text)) throw new Error(`Lua: wanted ${text}, found ${tokens[at]?.text ?? 'the end'}`)
  }
  const name = () => {
    const token = tokens[at++]
    if (token?.kind !== 'name') throw new Error(`Lua: wanted a name, found ${token?.text ?? 'the end'}`)
    return token.text
  }

  function block(...ends: string[]): Run {
    const runs: Run[] = []
    while (at < tokens.length && !ends.some(isNext)) {
      runs.push(statement())
      take(';')
    }
    return (outer) => {
      const scope = { names: new Map<string, LuaValue>(), outer }
      for (const run of runs) {
        const returned = run(scope)
        if (returned) return returned
      }
      return undefined
    }
  }

  function statement(): Run {
    if (take('local')) return take('function') ? localFunction() : local()
    if (take('if')) return conditional()
    if (take('for')) return loop()
    if (take('return')) {
      const values = isNext('end') || isNext('else') || isNext('elseif') || at >= tokens.length ? [] : list()
      return (scope) => all(values, scope)
    }
    const target = tokens[at]
    const call = suffixed()
    if (!take('=')) return (scope) => void call(scope)
    const [value] = list()
    if (target?.kind !== 'name' || !value) throw new Error('Lua: only names are assigned to')
    return (scope) => {
      for (let one: Scope | undefined = scope; one; one = one.outer) {
        if (!one.names.has(target.text)) continue
        one.names.set(target.text, value(scope)[0])
        return undefined
      }
      throw new Error(`Lua: ${target.text} is not declared`)
    }
  }

  function local(): Run {
    const names = [name()]
    while (take(',')) names.push(name())
    const values = take('=') ? list() : []
    return (scope) => {
      const found = all(values, scope)
      names.forEach((one, i) => scope.names.set(one, found[i]))
      return undefined
    }
  }

  function localFunction(): Run {
    const own = name()
    const body = functionBody()
    return (scope) => void scope.names.set(own, body(scope)[0])
  }

  function functionBody(): Eval {
    const names: string[] = []
    want('(')
    while (!take(')')) {
      names.push(name())
      take(',')
    }
    const body = block('end')
    want('end')
    return (outer) => [(...args) => body({ names: new Map(names.map((one, i) => [one, args[i]])), outer }) ?? []]
  }

  function conditional(): Run {
    const branches: { when: Eval; run: Run }[] = []
    let otherwise: Run | undefined
    do {
      const when = expression()
      want('then')
      branches.push({ when, run: block('elseif', 'else', 'end') })
    } while (take('elseif'))
    if (take('else')) otherwise = block('end')
    want('end')
    return (scope) => (branches.find(({ when }) => isTrue(when(scope)[0]))?.run ?? otherwise)?.(scope)
  }

  function loop(): Run {
    const names = [name()]
    if (take('=')) {
      const [from, to] = list()
      want('do')
      const body = block('end')
      want('end')
      return (outer) => {
        const last = numberOf(to?.(outer)[0])
        for (let i = numberOf(from?.(outer)[0]); i <= last; i++) {
          const returned = body({ names: new Map([[names[0] ?? '', i]]), outer })
          if (returned) return returned
        }
        return undefined
      }
    }
    while (take(',')) names.push(name())
    want('in')
    if (name() !== 'ipairs') throw new Error('Lua: only ipairs is gone through')
    want('(')
    const table = expression()
    want(')')
    want('do')
    const body = block('end')
    want('end')
    return (outer) => {
      for (const [i, item] of itemsOf(tableOf(table(outer)[0])).entries()) {
        const returned = body({
          names: new Map<string, LuaValue>([
            [names[0] ?? '', i + 1],
            [names[1] ?? '', item],
          ]),
          outer,
        })
        if (returned) return returned
      }
      return undefined
    }
  }

  function list(): Eval[] {
    const values = [expression()]
    while (take(',')) values.push(expression())
    return values
  }

  /** The last of a list gives all it has, every other one value. */
  function all(values: readonly Eval[], scope: Scope): LuaValue[] {
    return values.flatMap((value, i) => (i === values.length - 1 ? value(scope) : [value(scope)[0]]))
  }

  function expression(least = 0): Eval {
    let left = unary()
    for (;;) {
      const sign = tokens[at]?.kind === 'sign' ? (tokens[at]?.text ?? '') : ''
      const binding = BINDING[sign]
      if (binding === undefined || binding <= least) return left
      at++
      const [a, b, apply] = [left, expression(sign === '..' ? binding - 1 : binding), BINARY[sign]]
      if (sign === 'or')
        left = (scope) => {
          const [value] = a(scope)
          return [isTrue(value) ? value : b(scope)[0]]
        }
      else if (sign === 'and')
        left = (scope) => {
          const [value] = a(scope)
          return [isTrue(value) ? b(scope)[0] : value]
        }
      else if (apply) left = (scope) => [apply(a(scope)[0], b(scope)[0])]
    }
  }

  function unary(): Eval {
    const tightest = 7
    if (take('not')) {
      const of = expression(tightest)
      return (scope) => [!isTrue(of(scope)[0])]
    }
    if (take('-')) {
      const of = expression(tightest)
      return (scope) => [-numberOf(of(scope)[0])]
    }
    if (take('#')) {
      const of = expression(tightest)
      return (scope) => {
        const [value] = of(scope)
        return [typeof value === 'string' ? value.length : itemsOf(tableOf(value)).length]
      }
    }
    return suffixed()
  }

  function suffixed(): Eval {
    let value = primary()
    for (;;) {
      const of = value
      if (take('(')) {
        const args = isNext(')') ? [] : list()
        want(')')
        value = (scope) => {
          const [call] = of(scope)
          if (typeof call !== 'function') throw new Error('Lua: this is no function')
          return call(...all(args, scope))
        }
      } else if (take('[')) {
        const key = expression()
        want(']')
        value = (scope) => [tableOf(of(scope)[0]).get(key(scope)[0])]
      } else if (take('.')) {
        const key = name()
        value = (scope) => [tableOf(of(scope)[0]).get(key)]
      } else return value
    }
  }

  function primary(): Eval {
    const token = tokens[at++]
    if (token?.kind === 'number') {
      const value = Number(token.text)
      return () => [value]
    }
    if (token?.kind === 'text') {
      const { text } = token
      return () => [text]
    }
    if (token?.kind === 'name') return variable(token.text)
    switch (token?.text) {
      case 'nil':
        return () => [undefined]
      case 'true':
        return () => [true]
      case 'false':
        return () => [false]
      case 'function':
        return functionBody()
      case '(': {
        const inner = expression()
        want(')')
        return (scope) => [inner(scope)[0]]
      }
      case '{': {
        const values = isNext('}') ? [] : list()
        want('}')
        return (scope) => [listOf(all(values, scope))]
      }
      default:
        throw new Error(`Lua: ${token?.text ?? 'the end'} was not expected`)
    }
  }

  function variable(of: string): Eval {
    return (scope) => {
      for (let one: Scope | undefined = scope; one; one = one.outer) if (one.names.has(of)) return [one.names.get(of)]
      throw new Error(`Lua: nobody knows ${of}`)
    }
  }

  const body = block()
  return (globals) =>
    body({ names: new Map(), outer: { names: new Map([...LIBRARY, ...globals]), outer: undefined } }) ?? []
}
