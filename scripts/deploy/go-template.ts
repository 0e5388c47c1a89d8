/**
 * As much of Go's template language as the chart in `deploy/helm/` uses, so that it can be rendered and checked where
 * there is no Helm. Whatever it does not know throws, so a chart that it renders uses nothing else.
 *
 *   text → pieces (text | action) → nodes → string
 *
 * Known: if, else, else if, with, range (over lists and maps), define, variables, pipelines, parentheses with fields
 * behind them, trimming by `{{-` and `-}}`, comments. It is one file because parsing and evaluating are one grammar.
 */
type Value = unknown
export type Func = (...args: readonly Value[]) => Value

interface Scope {
  readonly dot: Value
  readonly vars: Map<string, Value>[]
}

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly code: string }
  | {
      readonly kind: 'if' | 'with' | 'range'
      readonly code: string
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }

export interface Templates {
  readonly render: (name: string, dot: Value) => string
}

/** `sources` are files by name; each is a template, and so is whatever they define. */
export function openTemplates(sources: ReadonlyMap<string, string>, more: Readonly<Record<string, Func>>): Templates {
  const known = new Map<string, readonly Node[]>()
  for (const [name, text] of sources) known.set(name, parse(text, known))
  const render = (name: string, dot: Value): string => {
    const nodes = known.get(name)
    if (nodes === undefined) throw new Error(`there is no template ${name}`)
    return run(nodes, { dot, vars: [new Map([['$', dot]])] }, funcs)
  }
  const funcs: Record<string, Func> = {
    ...more,
    include: (name, dot) => render(String(name), dot),
  }
  return { render }
}

interface Piece {
  readonly text?: string
  readonly code?: string
}

function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let trimNext = false
  for (const match of source.matchAll(
    /\{\{(-\s)?((?:\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|`[^`]*`|[^}"`]|\}(?!\}))*?)(\s-)?\}\}/g,
  )) {
    let text = source.slice(at, match.index)
    if (trimNext) text = text.trimStart()
    if (match[1]) text = text.trimEnd()
    pieces.push({ text })
    const code = (match[2] ?? '').trim()
    if (!code.startsWith('/*')) pieces.push({ code })
    trimNext = Boolean(match[3])
    at = match.index + match[0].length
  }
  const rest = source.slice(at)
  pieces.push({ text: trimNext ? rest.trimStart() : rest })
  if (pieces.some(({ text }) => text?.includes('{{'))) throw new Error('an action does not end')
  return pieces
}

function parse(source: string, defined: Map<string, readonly Node[]>): readonly Node[] {
  const pieces = piecesOf(source)
  let next = 0
  const block = (): { nodes: Node[]; ended: string } => {
    const nodes: Node[] = []
    while (next < pieces.length) {
      const { text, code } = pieces[next++] ?? {}
      if (text !== undefined) nodes.push({ kind: 'text', text })
      if (code === undefined) continue
      const [, word = '', rest = ''] = /^(\S+)\s*([^]*)$/.exec(code) ?? []
      if (word === 'end' || word === 'else') return { nodes, ended: code }
      if (word === 'if' || word === 'with' || word === 'range') nodes.push(branch(word, rest))
      else if (word === 'define') defined.set(JSON.parse(rest) as string, block().nodes)
      else nodes.push({ kind: 'action', code })
    }
    return { nodes, ended: '' }
  }
  const branch = (kind: 'if' | 'with' | 'range', code: string): Node => {
    const { nodes: body, ended } = block()
    if (ended === '') throw new Error(`${kind} ${code} has no end`)
    if (ended === 'end') return { kind, code, body, otherwise: [] }
    const also = /^else if\s+([^]*)$/.exec(ended)?.[1]
    return { kind, code, body, otherwise: also === undefined ? block().nodes : [branch('if', also)] }
  }
  const { nodes, ended } = block()
  if (ended !== '') throw new Error(`${ended} ends nothing`)
  return nodes
}

function run(nodes: readonly Node[], scope: Scope, funcs: Readonly<Record<string, Func>>): string {
  const inner = (body: readonly Node[], dot: Value, vars: ReadonlyMap<string, Value> = new Map()) =>
    run(body, { dot, vars: [...scope.vars, new Map(vars)] }, funcs)
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      if (node.kind === 'action') {
        const set = /^(\$\w+)\s*(:?=)\s*([^]+)$/.exec(node.code)
        if (set === null) return print(evaluate(node.code, scope, funcs))
        assign(scope, set[1] ?? '', set[2] === ':=', evaluate(set[3] ?? '', scope, funcs))
        return ''
      }
      const loop = /^(\$\w+),\s*(\$\w+)\s*:=\s*([^]+)$/.exec(node.code)
      const value = evaluate(loop?.[3] ?? node.code, scope, funcs)
      if (!isTrue(value)) return inner(node.otherwise, scope.dot)
      if (node.kind === 'if') return inner(node.body, scope.dot)
      if (node.kind === 'with') return inner(node.body, value)
      return entriesOf(value)
        .map(([key, item]) => {
          const named: [string, Value][] =
            loop === null
              ? []
              : [
                  [loop[1] ?? '', key],
                  [loop[2] ?? '', item],
                ]
          return inner(node.body, item, new Map(named))
        })
        .join('')
    })
    .join('')
}

function assign({ vars }: Scope, name: string, isNew: boolean, value: Value): void {
  const place = isNew ? vars.at(-1) : vars.findLast((one) => one.has(name))
  if (place === undefined) throw new Error(`${name} is not declared`)
  place.set(name, value)
}

interface Token {
  readonly kind: 'string' | 'word' | 'sign'
  readonly text: string
  /** Nothing stands between it and the one before. */
  readonly isGlued: boolean
}

function tokensOf(code: string): Token[] {
  const found: Token[] = []
  const pattern = /\s+|("(?:[^"\\]|\\.)*"|`[^`]*`)|([()|])|([^\s()|"`]+)/gy
  while (pattern.lastIndex < code.length) {
    const match = pattern.exec(code)
    if (match === null) throw new Error(`cannot read ${code}`)
    const isGlued = match.index > 0 && !/\s/.test(code[match.index - 1] ?? '')
    if (match[1]) found.push({ kind: 'string', text: match[1], isGlued })
    else if (match[2]) found.push({ kind: 'sign', text: match[2], isGlued })
    else if (match[3]) found.push({ kind: 'word', text: match[3], isGlued })
  }
  return found
}

function evaluate(code: string, scope: Scope, funcs: Readonly<Record<string, Func>>): Value {
  const tokens = tokensOf(code)
  let next = 0
  const peek = () => tokens[next]
  const pipeline = (): Value => {
    let value = command([])
    while (peek()?.text === '|' && peek()?.kind === 'sign') {
      next++
      value = command([value])
    }
    return value
  }
  const command = (last: readonly Value[]): Value => {
    const first = peek()
    if (first?.kind === 'word' && /^[a-zA-Z]/.test(first.text) && !/^(?:true|false|nil)$/.test(first.text)) {
      next++
      return call(first.text, [...operands(), ...last])
    }
    const [value, ...others] = operands()
    if (others.length > 0 || last.length > 0) throw new Error(`${code}: only a function takes arguments`)
    return value
  }
  const call = (name: string, args: readonly Value[]) => {
    const func = funcs[name] ?? BUILT_IN[name]
    if (func === undefined) throw new Error(`there is no function ${name}`)
    return func(...args)
  }
  const operands = (): Value[] => {
    const values: Value[] = []
    for (let token = peek(); token !== undefined && token.text !== '|' && token.text !== ')'; token = peek()) {
      next++
      if (token.text === '(' && token.kind === 'sign') {
        const value = pipeline()
        if (tokens[next++]?.text !== ')') throw new Error(`${code}: a parenthesis does not close`)
        const behind = peek()
        const isField = behind?.kind === 'word' && behind.isGlued && behind.text.startsWith('.')
        if (isField) next++
        values.push(walk(value, isField ? behind.text : ''))
      } else values.push(operand(token))
    }
    return values
  }
  const operand = ({ kind, text }: Token): Value => {
    if (kind === 'string') return text.startsWith('`') ? text.slice(1, -1) : (JSON.parse(text) as string)
    if (/^-?\d+$/.test(text)) return Number(text)
    if (text === 'true' || text === 'false') return text === 'true'
    if (text === 'nil') return undefined
    if (text === '.') return scope.dot
    if (text.startsWith('.')) return walk(scope.dot, text)
    const [, name = '', fields = ''] = /^(\$\w*)((?:\.\w+)*)$/.exec(text) ?? []
    const place = scope.vars.findLast((one) => one.has(name))
    if (place !== undefined) return walk(place.get(name), fields)
    // A function that stands as an argument takes none.
    if (/^[a-zA-Z]\w*$/.test(text)) return call(text, [])
    throw new Error(`${code}: cannot read ${text}`)
  }
  const value = pipeline()
  if (next !== tokens.length) throw new Error(`${code}: cannot read all of it`)
  return value
}

/** A field of nothing is an error, as it is in Go: it is how a misspelt value is found. */
function walk(value: Value, fields: string): Value {
  return fields
    .split('.')
    .filter((field) => field !== '')
    .reduce<Value>((from, field) => {
      if (typeof from !== 'object' || from === null) throw new Error(`${fields}: nothing has a field ${field}`)
      return (from as Record<string, Value>)[field]
    }, value)
}

function entriesOf(value: Value): [Value, Value][] {
  if (Array.isArray(value)) return [...value.entries()]
  return Object.entries(value as object).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

function print(value: Value): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error('a map or list is printed as it is: use toYaml')
}

/** Both sides are always evaluated here, which in Go 1.18 and newer they are not; nothing in a chart should mind. */
const BUILT_IN: Readonly<Record<string, Func>> = {
  and: (...args) => args.find((arg) => !isTrue(arg)) ?? args.at(-1),
  or: (...args) => args.find(isTrue) ?? args.at(-1),
  not: (arg) => !isTrue(arg),
  eq: (first, ...others) => others.includes(first),
  index: (from, ...keys) => keys.reduce<Value>((value, key) => (value as Record<string, Value>)[String(key)], from),
  printf: (format, ...args) => {
    let next = 0
    return String(format).replaceAll(/%[sd]/g, () => print(args[next++]))
  },
}
