/** Two rules of ours for oxlint that no plugin of its own has. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly expression?: Node
  readonly typeAnnotation?: Node
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
}

interface Context {
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

export default { meta: { name: 'namewright' }, rules: { 'no-sql': noSql, 'no-double-cast': noDoubleCast } }
