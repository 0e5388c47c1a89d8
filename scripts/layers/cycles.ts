/**
 * Import cycles, by Tarjan's strongly connected components: one violation per knot of files, however many ways
 * lead round it, because cutting the knot once is what is asked for.
 */
import type { Violation } from '../violation.ts'
import type { Module } from './module.ts'
import { findTarget, SOURCE } from './rows.ts'

/** `folder` is where the paths of the modules start; empty for the root of the repository. */
export function checkCycles(modules: readonly Module[], folder = `${SOURCE}/`): Violation[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const targets = (module: Module) =>
    module.imports.flatMap(({ specifier, line }) => {
      const target = byPath.get(findTarget(module.path, specifier) ?? '')
      return target === undefined ? [] : [{ target, line }]
    })
  const edges = new Map(modules.map((module) => [module, targets(module)]))
  const next = (module: Module) => edges.get(module) ?? []
  return findKnots(modules, (module) => next(module).map(({ target }) => target)).flatMap((knot) => {
    const first = knot.toSorted((a, b) => a.path.localeCompare(b.path))[0] as Module
    const edge = next(first).find(({ target }) => knot.includes(target))
    // A file alone is a knot only when it imports itself.
    if (edge === undefined) return []
    const files = knot.map(({ path }) => path).toSorted()
    const advice = `cut the cycle of ${files.join(', ')}: move what they share to a file of its own`
    return [{ file: `${folder}${first.path}`, line: edge.line, rule: 'cycle', advice }]
  })
}

function findKnots<Node>(nodes: readonly Node[], next: (node: Node) => readonly Node[]): Node[][] {
  const order = new Map<Node, number>()
  const stack: Node[] = []
  const knots: Node[][] = []

  const visit = (node: Node): number => {
    const index = order.size
    order.set(node, index)
    stack.push(node)
    let low = index
    for (const target of next(node)) {
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low)
    }
    if (low === index) knots.push(stack.splice(stack.indexOf(node)))
    return low
  }
  for (const node of nodes) if (!order.has(node)) visit(node)
  return knots
}
