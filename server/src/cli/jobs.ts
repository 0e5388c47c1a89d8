/** `namewright-server jobs`: shows queue depth and failed jobs with their reasons, and puts failed jobs back. */
import { parseOptions, UsageError } from './command-line.ts'
import type { StandardStreams } from './command-line.ts'
import type { Config } from '../platform/config/config.ts'
import { openJobs } from '../platform/jobs/jobs.ts'
import type { Jobs, QueueName } from '../platform/jobs/jobs.ts'
import { isQueueName, QUEUE_NAMES } from '../platform/jobs/queues.ts'
import { openLog } from '../platform/log.ts'
import { isUuid } from '../model/id.ts'

export const USAGE = `namewright-server jobs stats                            waiting, running and dead jobs by queue
namewright-server jobs dead [--queue QUEUE]             list dead jobs (the last attempt failed), oldest first, one per line
namewright-server jobs redrive [--queue QUEUE] [--id ID]   queue dead jobs again as new jobs
Queues: ${QUEUE_NAMES.join(' ')}`

// More than anybody reads; --queue narrows it.
const DEAD_MAX = 1_000

export async function runJobs(
  args: readonly string[],
  config: Config,
  { stdout, stderr }: StandardStreams,
): Promise<number> {
  const jobs = openJobs({ url: config.database.url.reveal(), log: openLog('silent') })
  try {
    stdout.write(`${await run(args, jobs)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    stderr.write(`${error.message}\n${USAGE}\n`)
    return 2
  } finally {
    await jobs.close()
  }
}

async function run([command = 'help', ...args]: readonly string[], jobs: Jobs): Promise<string> {
  const values = parseOptions(args, { queue: { type: 'string' }, id: { type: 'string' } })
  const queue = queueOf(values.queue)
  switch (command) {
    case 'help':
      return USAGE
    case 'stats':
      return statsText(await jobs.counts())
    case 'dead': {
      const dead = await jobs.listDead({ queue, limit: DEAD_MAX })
      return dead.length === 0 ? 'none' : dead.map((job) => JSON.stringify(job)).join('\n')
    }
    case 'redrive': {
      if (values.id !== undefined && !isUuid(values.id)) throw new UsageError('--id must be an id that `dead` prints.')
      return `redriven ${await jobs.redrive({ queue, id: values.id })}`
    }
    default:
      throw new UsageError(`There is no command jobs ${command}.`)
  }
}

function statsText(counts: Awaited<ReturnType<Jobs['counts']>>): string {
  const columns = ['queue', 'waiting', 'later', 'running', 'dead'] as const
  const lines = [[...columns], ...counts.map((count) => columns.map((column) => String(count[column])))]
  return lines.map((cells) => cells.map((cell) => cell.padStart(8)).join(' ')).join('\n')
}

function queueOf(text: string | undefined): QueueName | undefined {
  if (text !== undefined && !isQueueName(text)) throw new UsageError(`There is no queue ${text}.`)
  return text
}
