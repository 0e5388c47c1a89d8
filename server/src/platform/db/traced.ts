/** Adds database calls to traces: the names of the statements that were sent together. Never a value or a tenant. */
import { withSpan } from '../tracing/trace-context.ts'
import type { Statement } from './batch.ts'
import type { Acting, Db } from './db.ts'

export function tracedDb(db: Db): Db {
  const send = <T>(statements: readonly Statement[], work: () => Promise<T>): Promise<T> =>
    withSpan(
      'sql',
      (setAttributes) => {
        setAttributes?.({ 'db.system.name': 'postgresql', 'db.operation.name': namesOf(statements) })
        return work()
      },
      'client',
    )
  return {
    ...db,
    as: <const S extends readonly Statement[]>(acting: Acting, statements: S) =>
      send(statements, () => db.as(acting, statements)),
    read: <const S extends readonly Statement[]>(acting: Acting, statements: S) =>
      send(statements, () => db.read(acting, statements)),
    lookup: (statement) => send([statement], () => db.lookup(statement)),
    find: (statement) => send([statement], () => db.find(statement)),
    transaction: (acting, work) =>
      withSpan(
        'sql transaction',
        (setAttributes) => {
          setAttributes?.({ 'db.system.name': 'postgresql' })
          return db.transaction(acting, work)
        },
        'client',
      ),
  }
}

function namesOf(statements: readonly Statement[]): string {
  return statements.map(({ name }) => name).join(' ')
}
