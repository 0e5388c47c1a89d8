/** How a migration file wants to be applied, by its first line. */

/**
 * One statement that PostgreSQL refuses inside a transaction, such as CREATE INDEX CONCURRENTLY. It must be harmless when it is
 * done again, because a process may die between it and the note that it was done.
 */
const OUTSIDE = '-- Outside a transaction.'

export function isOutsideTransaction(text: string): boolean {
  return text.startsWith(OUTSIDE)
}
