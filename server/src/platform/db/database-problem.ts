/**
 * Explains in one line why a command cannot use PostgreSQL, and what to do next. The operator reads it in a terminal,
 * so it contains nothing of the URL except what PostgreSQL or the system reports, and never the password.
 */
const DATABASE = 'NAMEWRIGHT_DATABASE_URL'

/** By SQLSTATE or by the system's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: `Start PostgreSQL, or correct the host and port in ${DATABASE}.`,
  ENOTFOUND: `Correct the host in ${DATABASE}.`,
  EAI_AGAIN: `Correct the host in ${DATABASE}, or the DNS configuration of this machine.`,
  ETIMEDOUT: `Check that this machine can reach the host and port in ${DATABASE}.`,
  EHOSTUNREACH: `Check that this machine can reach the host and port in ${DATABASE}.`,
  ENETUNREACH: `Check that this machine can reach the host and port in ${DATABASE}.`,
  ECONNRESET: `Check that PostgreSQL listens at the host and port in ${DATABASE}.`,
  // invalid_password, invalid_authorization_specification: also a role that does not exist
  '28P01': `Correct the user and password in ${DATABASE}.`,
  '28000': `Correct the user in ${DATABASE}, or allow it to log in (pg_hba.conf).`,
  // invalid_catalog_name
  '3D000': `Create the database (createdb), or correct its name in ${DATABASE}.`,
  // A role that `migrate` creates and that the login acts as
  '22023': 'Run namewright-server migrate first; the roles are described in docs/configuration.md#roles-in-postgresql.',
  // insufficient_privilege
  '42501': 'Give the user the roles described in docs/configuration.md#roles-in-postgresql.',
  // undefined_table, undefined_function, invalid_schema_name
  '42P01': 'Run namewright-server migrate first.',
  '42883': 'Run namewright-server migrate first.',
  '3F000': 'Run namewright-server migrate first.',
  // too_many_connections, cannot_connect_now
  '53300': 'Raise max_connections of PostgreSQL, or close unused connections.',
  '57P03': 'PostgreSQL is starting or stopping; try again in a moment.',
}

/** Undefined for any other error: that is a bug, and its stack trace is needed. */
export function databaseProblemOf(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const code = 'code' in cause ? String(cause.code) : ''
    const advice = ADVICE[code]
    if (advice !== undefined) return lineOf(cause.message || code, advice)
    // The error of a node-postgres pool when the server does not respond; it has no code.
    if (/timeout/i.test(cause.message)) return lineOf(cause.message, ADVICE.ETIMEDOUT ?? '')
  }
  return undefined
}

function lineOf(message: string, advice: string): string {
  return `PostgreSQL cannot be used: ${message.replaceAll(/\s+/g, ' ').replace(/\.$/, '')}. ${advice}`
}

/** The error, its causes, and the attempts that it aggregates: a host may have several addresses. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const attempts: unknown[] = error instanceof AggregateError ? error.errors : []
  return [...attempts.flatMap(causesOf), error, ...causesOf(error.cause)]
}
