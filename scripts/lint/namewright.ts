/** Rules of ours for oxlint that no plugin of its own has. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly expression?: Node
  readonly typeAnnotation?: Node
  readonly name?: string
  readonly object?: Node
  readonly property?: Node
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
}

interface Context {
  readonly options: readonly unknown[]
  report(found: { readonly node: Node; readonly message: string }): void
}

const SQL = /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|MERGE INTO|(?:CREATE|ALTER|DROP|TRUNCATE) [A-Z]+)\s/

const noSql = {
  create: (context: Context) => {
    const refuse = (node: Node, text: unknown) => {
      if (typeof text !== 'string' || !SQL.test(text)) return
      context.report({ node, message: 'SQL stands in capabilities and platform/db: move the statement there.' })
    }
    return {
      Literal: (node: Node) => refuse(node, node.value),
      TemplateLiteral: (node: Node) => refuse(node, node.quasis?.[0]?.value.raw),
    }
  },
}

const noDoubleCast = {
  create: (context: Context) => ({
    TSAsExpression: (node: Node) => {
      if (node.expression?.typeAnnotation?.type !== 'TSUnknownKeyword') return
      context.report({ node, message: 'Give the value its type by parsing or by a guard.' })
    },
  }),
}

/** What a route does beside its answer: twice, if the route runs again, and also if the commit fails. */
const noEffects = {
  meta: { schema: { type: 'array', items: { type: 'string' } } },
  create: (context: Context) => {
    const effects = new Set(context.options.map(String))
    const nameOf = (node: Node | undefined) => (node?.type === 'MemberExpression' ? node.property : node)?.name ?? ''
    return {
      MemberExpression: (node: Node) => {
        const [owner, name] = [nameOf(node.object), node.property?.name ?? '']
        if (!effects.has(owner) && !effects.has(`${owner}.${name}`)) return
        context.report({
          node,
          message: 'A route writes by `ask` and by its answer: move this to a rule of its feature.',
        })
      },
    }
  },
}

export default {
  meta: { name: 'namewright' },
  rules: { 'no-sql': noSql, 'no-double-cast': noDoubleCast, 'no-effects': noEffects },
}
