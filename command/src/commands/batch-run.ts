/**
 * `namewright batch run FILE`: from a CSV file to a file of results. It can be interrupted and resumed at any time.
 *
 *   rows → state file → create batches → wait → write results to a draft → rename it
 *
 * Ctrl-C stops waiting, not the batch: the service continues, and the same command resumes.
 */
import { open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { isErrorCode } from '../../../sdk/src/errors.ts'
import { readBatchRows } from '../batch-file.ts'
import type { BatchRow } from '../batch-file.ts'
import { FILE_COLUMNS, hasNames, rowsOfItem } from '../batch-results.ts'
import { openState, statePath } from '../batch-state.ts'
import type { Part, StateFile } from '../batch-state.ts'
import { jsonText } from '../clean.ts'
import { csvLine } from '../csv.ts'
import { CliError, EXIT, Interrupted, usageError } from '../exit.ts'
import { openProgress } from '../progress.ts'
import { requestOf } from '../request.ts'
import { openSession } from '../session.ts'
import type { Session } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { readFileText } from '../streams.ts'

export async function batchRun(invocation: Invocation): Promise<number> {
  const { options, words, outside, say } = invocation
  const [path, more] = words
  if (path === undefined || more !== undefined)
    throw usageError('Pass one CSV file: namewright batch run shops.csv --out names.csv')
  const session = await openSession(invocation)
  const { description: _none, ...defaults } = requestOf('', options, session.config)
  const rows = readBatchRows(await readFileText(path), path, { description: '', ...defaults })
  const out = options.text('out')
  const { url } = session.address
  const file = await openState(statePath(out ?? path), { rows, url, now: outside.now, isNew: options.flag('restart') })
  try {
    await createBatches(invocation, session, file, rows)
    await waitForBatches(invocation, session, file, rows.length)
    return await writeResults(invocation, session, file, rows, out)
  } catch (error) {
    const ids = file.state.parts.flatMap(({ id }) => id ?? [])
    if (outside.signal.aborted && outside.signal.reason instanceof Interrupted) {
      say('The batch continues on the service. Run the same command again to resume; nothing is charged twice.')
      for (const id of ids) say(`To cancel it: namewright batch cancel ${id}`)
    }
    if (isErrorCode(error, 'not_found') && ids.length > 0)
      throw new CliError(
        EXIT.none,
        `The service no longer has the batch, or it belongs to another account (${ids.join(', ')}).`,
        'Start again with --restart, which is charged again.',
      )
    throw error
  }
}

async function createBatches(
  { outside, say }: Invocation,
  { client }: Session,
  file: StateFile,
  rows: readonly BatchRow[],
) {
  for (const part of file.state.parts) {
    if (part.id === undefined) {
      const requests = rows.slice(part.from, part.from + part.count).map(({ request }) => request)
      const { signal } = outside
      const { id } = await client.batches.create(requests, { idempotencyKey: part.idempotency_key, signal })
      await file.keepId(part, id)
      say(`Batch ${id}: ${part.count} ${part.count === 1 ? 'row' : 'rows'} accepted.`)
    } else say(`Batch ${part.id}: resuming.`)
  }
}

async function waitForBatches(
  { streams, outside, paintErr }: Invocation,
  { client }: Session,
  file: StateFile,
  total: number,
) {
  const progress = openProgress(streams.stderr, { now: outside.now, paint: paintErr })
  try {
    let before = 0
    for (const { id = '', count } of file.state.parts) {
      await client.batches.wait(id, {
        signal: outside.signal,
        onProgress: ({ finished }) => progress.update(before + finished, total),
      })
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
  const counts = { withNames: 0, failed: 0, serviceErrors: 0 }
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
        if (item.status === 'error' && /^(?:unavailable|internal)$/.test(item.error.code)) counts.serviceErrors += 1
      }
    }
    await handle?.sync()
  } finally {
    await handle?.close()
  }
  if (draft !== undefined && out !== undefined) await rename(draft, out)
  say(
    `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}: ${counts.withNames} with names, ` +
      `${rows.length - counts.withNames - counts.failed} short, ${counts.failed} failed.${out === undefined ? '' : ` Results in ${out}`}`,
  )
  if (counts.withNames > 0) return EXIT.found
  return counts.serviceErrors > 0 ? EXIT.upstream : EXIT.none
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
