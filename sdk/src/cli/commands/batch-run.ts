/**
 * `namewright batch run FILE`: from a CSV file to a file of results, whatever happens on the way.
 *
 *   rows → state on disk → batches handed over → waited for → results written beside, then put in place
 *
 * Ctrl-C stops the waiting, not the work: the service goes on, and the same command takes up where this one left.
 */
import { open, readFile, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { isErrorCode } from '../../errors.ts'
import { readBatchRows } from '../batch-file.ts'
import type { BatchRow } from '../batch-file.ts'
import { FILE_COLUMNS, hasNames, rowsOfItem } from '../batch-results.ts'
import { openState, statePath } from '../batch-state.ts'
import type { Part, StateFile } from '../batch-state.ts'
import { jsonText } from '../clean.ts'
import { isCode } from '../config.ts'
import { csvLine } from '../csv.ts'
import { CliError, EXIT, Interrupted, usageError } from '../exit.ts'
import { openProgress } from '../progress.ts'
import { requestOf } from '../request.ts'
import { openSession } from '../session.ts'
import type { Session } from '../session.ts'
import type { Invocation } from '../spec.ts'

export async function batchRun(invocation: Invocation): Promise<number> {
  const { options, words, outside, say } = invocation
  const [path, more] = words
  if (path === undefined || more !== undefined)
    throw usageError('Which file? namewright batch run shops.csv --out names.csv')
  const session = await openSession(invocation)
  const { description: _none, ...defaults } = requestOf('', options, session.config)
  const rows = readBatchRows(await readInput(path), path, { description: '', ...defaults })
  const out = options.text('out')
  const { url } = session.address
  const file = await openState(statePath(out ?? path), { rows, url, now: outside.now, isNew: options.flag('restart') })
  try {
    await handOver(invocation, session, file, rows)
    await waitFor(invocation, session, file, rows.length)
    return await writeResults(invocation, session, file, rows, out)
  } catch (error) {
    const ids = file.state.parts.flatMap(({ id }) => id ?? [])
    if (outside.signal.aborted && outside.signal.reason instanceof Interrupted) {
      say('The service goes on with it. Run the same command again to go on waiting; nothing is paid for twice.')
      for (const id of ids) say(`To end it: namewright batch cancel ${id}`)
    }
    if (isErrorCode(error, 'not_found') && ids.length > 0)
      throw new CliError(
        EXIT.none,
        `The service does not have the batch any more, or it is of another account (${ids.join(', ')}).`,
        'Start anew with --restart, which is paid for again.',
      )
    throw error
  }
}

async function readInput(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw usageError(`There is no file ${path}.`)
    if (isCode(error, 'EISDIR')) throw usageError(`${path} is a folder.`)
    throw error
  }
}

async function handOver({ outside, say }: Invocation, { client }: Session, file: StateFile, rows: readonly BatchRow[]) {
  for (const part of file.state.parts) {
    if (part.id === undefined) {
      const requests = rows.slice(part.from, part.from + part.count).map(({ request }) => request)
      const { signal } = outside
      const { id } = await client.batches.create(requests, { idempotencyKey: part.idempotency_key, signal })
      await file.keepId(part, id)
      say(`Batch ${id}: ${part.count} ${part.count === 1 ? 'row' : 'rows'} accepted.`)
    } else say(`Batch ${part.id}: going on with it.`)
  }
}

async function waitFor(
  { streams, outside, paintErr }: Invocation,
  { client }: Session,
  file: StateFile,
  total: number,
) {
  const progress = openProgress(streams.stderr, { now: outside.now, paint: paintErr })
  try {
    let before = 0
    for (const { id = '', count } of file.state.parts) {
      for await (const { data } of client.batches.events(id, { signal: outside.signal }))
        progress.tell(before + data.batch.finished, total)
      before += count
    }
  } finally {
    progress.close()
  }
}

async function writeResults(
  { options, streams, outside, say }: Invocation,
  { client }: Session,
  file: StateFile,
  rows: readonly BatchRow[],
  out: string | undefined,
): Promise<number> {
  const isCsv = !options.flag('ndjson')
  const draft = out === undefined ? undefined : `${out}.part`
  const handle = draft === undefined ? undefined : await open(draft, 'w')
  const write = writerTo(handle, (text) => streams.stdout.write(text))
  const counts = { withNames: 0, failed: 0, ours: 0 }
  try {
    if (isCsv) await write(csvLine(FILE_COLUMNS.map(({ name }) => name)))
    for (const part of file.state.parts) {
      for await (const item of client.batches.results(part.id ?? '', { signal: outside.signal })) {
        const about = aboutOf(part, item.index, rows)
        if (isCsv) {
          for (const row of rowsOfItem(item, about)) await write(csvLine(FILE_COLUMNS.map(({ value }) => value(row))))
        } else await write(`${jsonText({ ...about, ...item })}\n`)
        if (hasNames(item)) counts.withNames += 1
        if (item.status === 'error') counts.failed += 1
        if (item.status === 'error' && /^(?:unavailable|internal)$/.test(item.error.code)) counts.ours += 1
      }
    }
    await handle?.sync()
  } finally {
    await handle?.close()
  }
  if (draft !== undefined && out !== undefined) await rename(draft, out)
  say(
    `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}: ${counts.withNames} with names, ` +
      `${rows.length - counts.withNames - counts.failed} without, ${counts.failed} failed.${out === undefined ? '' : ` Results in ${out}`}`,
  )
  if (counts.withNames > 0) return EXIT.found
  return counts.ours > 0 ? EXIT.upstream : EXIT.none
}

function aboutOf(part: Part, index: number, rows: readonly BatchRow[]) {
  const at = part.from + index
  const { id, request } = rows[at] ?? {}
  return { row: at + 1, id: id === '' ? undefined : id, description: request?.description }
}

function writerTo(
  handle: FileHandle | undefined,
  toStdout: (text: string) => unknown,
): (text: string) => Promise<void> {
  return async (text) => {
    if (handle) await handle.write(text)
    else toStdout(text)
  }
}
