/** One broken rule, where it stands, and what to do instead. */
export interface Violation {
  /** From the repository root. */
  readonly file: string
  readonly line: number
  readonly rule: string
  readonly advice: string
}

/** Prints what was found and answers the exit code. */
export function reportViolations(violations: readonly Violation[], print: (line: string) => void): number {
  const inOrder = violations.toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  for (const { file, line, rule, advice } of inOrder) print(`${file}:${line}  ${rule}  ${advice}`)
  return violations.length === 0 ? 0 : 1
}
