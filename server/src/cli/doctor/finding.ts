/** One finding of the doctor: the state, the observation, and what to do about it. */
export type Level = 'ok' | 'skipped' | 'warning' | 'problem'

export interface Finding {
  /** The subject: `PostgreSQL`, `Redis`, `TLS`. */
  readonly about: string
  readonly level: Level
  readonly found: string
  /** Only if something is to be done. */
  readonly todo?: string
  /** Of a source on the internet: it did not respond at all. */
  readonly unreachable?: true
}

/** Findings about one subject, in the order in which they were made. */
export interface Notes {
  readonly list: readonly Finding[]
  ok(found: string): void
  skipped(found: string): void
  warning(found: string, todo: string): void
  problem(found: string, todo: string): void
  unreachable(level: 'warning' | 'problem', found: string, todo: string): void
  /** `todo` is only for when it is not fine. */
  expect(isFine: boolean, found: string, todo: string): void
  require(isFine: boolean, found: string, todo: string): void
}

export function notesOn(about: string): Notes {
  const list: Finding[] = []
  const add = (level: Level, found: string, todo?: string) =>
    void list.push({ about, level, found, ...(todo === undefined ? {} : { todo }) })
  return {
    list,
    ok: (found) => add('ok', found),
    skipped: (found) => add('skipped', found),
    warning: (found, todo) => add('warning', found, todo),
    problem: (found, todo) => add('problem', found, todo),
    unreachable: (level, found, todo) => void list.push({ about, level, found, todo, unreachable: true }),
    expect: (isFine, found, todo) => (isFine ? add('ok', found) : add('warning', found, todo)),
    require: (isFine, found, todo) => (isFine ? add('ok', found) : add('problem', found, todo)),
  }
}

// What only the internet can answer.
const OUTSIDE = new Set(['DNS', 'RDAP', 'registrars', 'namespaces', 'sign-in'])

/** A machine without the internet has one problem, and not one for each source. */
export function withoutInternet(findings: readonly Finding[]): readonly Finding[] {
  const silent = findings.filter(({ unreachable }) => unreachable)
  const isOutside = ({ about, level }: Finding) => OUTSIDE.has(about) && level !== 'skipped'
  if (silent.length < 2 || findings.some((one) => isOutside(one) && !one.unreachable)) return findings
  const internet = notesOn('internet')
  internet.problem(
    `no internet? Nothing outside responds: ${[...new Set(silent.map(({ about }) => about))].join(', ')}`,
    'allow outgoing connections, or skip these checks with --offline',
  )
  return [...findings.filter(({ unreachable }) => !unreachable), ...internet.list]
}

/** The message of an error, in one line. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const text =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  return text.split('\n', 1)[0] ?? ''
}

/** One line for each finding. */
export function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length))
  const lines = findings.map(
    ({ level, about, found, todo }) =>
      `${level.padEnd(8)} ${about.padEnd(width)}  ${found}${todo === undefined ? '' : ` → ${todo}`}`,
  )
  const count = (level: Level) => findings.filter((one) => one.level === level).length
  return [
    ...lines,
    '',
    `${count('ok')} ok, ${count('warning')} warnings, ${count('problem')} problems, ${count('skipped')} skipped`,
  ].join('\n')
}
