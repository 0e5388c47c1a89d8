/** How a migration file must be applied, from its first line. */

/**
 * One statement that PostgreSQL refuses inside a transaction, such as CREATE INDEX CONCURRENTLY. It must be safe to
 * repeat, because a process may die between the statement and the record that it was applied.
 */
const OUTSIDE = '-- Outside a transaction.'

export function isOutsideTransaction(text: string): boolean {
  return text.startsWith(OUTSIDE)
}
