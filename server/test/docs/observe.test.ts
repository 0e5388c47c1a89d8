/** What is handed to Prometheus and Grafana names only metrics that exist, and every alert has its section. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DEPRECATED_METRICS, METRICS, type MetricWords } from '../source.ts'
import { readPage, rowsOf, sectionOf } from './pages.ts'

interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: { readonly severity?: string }
  readonly annotations?: { readonly summary?: string; readonly runbook_url?: string }
}

interface Panel {
  readonly title: string
  readonly type: string
  readonly targets?: readonly { readonly expr: string }[]
}

const { groups } = parse(readPage('deploy/observe/alerts.yaml')) as { groups: { name: string; rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const recorded = new Set(rules.flatMap(({ record }) => (record === undefined ? [] : [record])))
const { panels } = JSON.parse(readPage('deploy/observe/dashboard.json')) as { panels: Panel[] }
const metrics = Object.entries(METRICS as Record<string, MetricWords>)

const PAGE = 'docs/operating/metrics.md'
const page = readPage(PAGE)
const runbooks = sectionOf(page, '## Alerts')

describe('the page of metrics', () => {
  test('lists exactly the metrics, with kind, labels and what they tell', () => {
    const written = rowsOf(sectionOf(page, '## Metrics'))
    const labelsOf = (labels: readonly string[]) => labels.map((label) => `\`${label}\``).join(', ') || 'none'
    expect(written).toEqual(metrics.map(([name, { kind, labels, help }]) => [name, kind, labelsOf(labels), help]))
  })

  test('lists the old names of renamed metrics', () => {
    const written = rowsOf(sectionOf(page, '## Renamed metrics'))
    expect(written).toEqual(Object.entries(DEPRECATED_METRICS).map(([old, current]) => [old, `\`${current}\``]))
  })

  test('no label is one that a caller could fill without bounds', () => {
    for (const [name, { labels }] of metrics) {
      for (const label of labels)
        expect(label, name).not.toMatch(/account|key|user|domain|description|path|address|^id$/)
    }
  })
})

/** The series that Prometheus makes of our metrics and of those of Node, with the labels that each has. */
function seriesNames(): Map<string, readonly string[]> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const ofNode = registry.getMetricsAsArray().map(({ name }) => [name, []] as const)
  registry.clear()
  const ours = metrics.flatMap(([name, { kind, labels }]) =>
    kind === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((end) => [`${name}${end}`, [...labels, 'le']] as const)
      : [[name, labels] as const],
  )
  return new Map([...ofNode, ...ours, ['up', []]])
}

/** Names in an expression: whatever looks like one of a metric and is followed by no parenthesis. */
function usedIn(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(/\b((?:namewright|nodejs|process)[\w:]*|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = '', inside = '']) => ({
      name,
      labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
    }),
  )
}

const SCRAPED = ['instance', 'job']

describe.each([
  ['alerts.yaml', rules.map(({ expr }) => expr)],
  ['dashboard.json', panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))],
])('%s', (_file, expressions) => {
  const series = seriesNames()

  test('uses only metrics and recorded rules that exist, with labels that they have', () => {
    expect(expressions.length).toBeGreaterThan(10)
    for (const expr of expressions) {
      const used = usedIn(expr)
      expect(used, expr).not.toEqual([])
      for (const { name, labels } of used) {
        const known = series.get(name)
        expect(known !== undefined || recorded.has(name), `${name} in ${expr}`).toBe(true)
        for (const label of labels) expect([...(known ?? []), ...SCRAPED], `${name} in ${expr}`).toContain(label)
      }
    }
  })

  test('its parentheses and braces match', () => {
    for (const expr of expressions) {
      for (const [open = '', close = ''] of ['()', '{}', '[]']) {
        expect(expr.split(open).length, expr).toBe(expr.split(close).length)
      }
    }
  })
})

describe('the alerts of the page', () => {
  test('every alert has a section, and every section an alert', () => {
    const sections = [...runbooks.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
    expect(new Set(sections)).toEqual(new Set(alerts.map(({ alert }) => alert)))
    expect(sections).toHaveLength(new Set(sections).size)
    for (const { alert, annotations } of alerts)
      expect(annotations?.runbook_url).toBe(`${PAGE}#${alert?.toLowerCase()}`)
  })

  test('every alert says how urgent it is and what it means', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(alert).toMatch(/^Namewright[A-Z]\w+$/)
      expect(['page', 'ticket'], alert).toContain(labels?.severity)
      expect(annotations?.summary?.length, alert).toBeGreaterThan(20)
    }
  })

  test('every section says what callers notice, where to look and what to do', () => {
    for (const { alert } of alerts) {
      const section = sectionOf(runbooks, `### ${alert}`)
      for (const start of ['- **Callers**', '- **Look**', '- **Do**']) expect(section, alert).toContain(start)
    }
  })

  test('they name only metrics that exist', () => {
    const series = seriesNames()
    const names = [...runbooks.matchAll(/\b(?:namewright|nodejs|process)_[a-z_]+\b/g)].map(([name]) => name)
    for (const name of names) expect(series.has(name) || name in METRICS, name).toBe(true)
  })
})
