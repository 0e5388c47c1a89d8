/** One finding of the doctor: the state, the observation, and what to do about it. */
export type Level = 'ok' | 'skipped' | 'warning' | 'problem'

export interface Finding {
  /** The subject: `PostgreSQL`, `Redis`, `TLS`. */
  readonly about: string
  readonly level: Level
  readonly found: string
  /** Only if something is to be done. */
  readonly todo?: string
}

/** Findings about one subject, in the order in which they were made. */
export interface Notes {
  readonly list: readonly Finding[]
  ok(found: string): void
  skipped(found: string): void
  warning(found: string, todo: string): void
  problem(found: string, todo: string): void
}

export function notesOn(about: string): Notes {
  const list: Finding[] = []
  return {
    list,
    ok: (found) => void list.push({ about, level: 'ok', found }),
    skipped: (found) => void list.push({ about, level: 'skipped', found }),
    warning: (found, todo) => void list.push({ about, level: 'warning', found, todo }),
    problem: (found, todo) => void list.push({ about, level: 'problem', found, todo }),
  }
}

/** The message of an error, in one line. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const text =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  return text.split('\n', 1)[0] ?? ''
}

export function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length))
  const lines = findings.flatMap(({ level, about, found, todo }) => [
    `${level.padEnd(8)} ${about.padEnd(width)}  ${found}`,
    ...(todo === undefined ? [] : [`${' '.repeat(9 + width)}  → ${todo}`]),
  ])
  const count = (level: Level) => findings.filter((one) => one.level === level).length
  return [
    ...lines,
    '',
    `${count('ok')} ok, ${count('warning')} warnings, ${count('problem')} problems, ${count('skipped')} skipped`,
  ].join('\n')
}
