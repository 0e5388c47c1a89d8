/** The operator's look at the queues: how much waits, what died and why, and putting the dead back. */
import { parseArgs } from 'node:util'
import type { Config } from './config/config.ts'
import { openJobs } from './jobs/jobs.ts'
import type { Jobs, QueueName } from './jobs/jobs.ts'
import { isQueueName, QUEUE_NAMES } from './jobs/queues.ts'
import { openLog } from './log.ts'
import { isUuid } from './model/id.ts'

const USAGE = `namewright-server jobs stats                            how many wait, run and died, by queue
namewright-server jobs dead [--queue QUEUE]             jobs whose last attempt failed, oldest first, one a line
namewright-server jobs redrive [--queue QUEUE] [--id ID]   put them back, as new ones
Queues: ${QUEUE_NAMES.join(' ')}`

interface Streams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

class UsageError extends Error {}

// More than anybody reads; --queue narrows it.
const DEAD_MAX = 1_000

export async function runJobs(args: readonly string[], config: Config, { stdout, stderr }: Streams): Promise<number> {
  const jobs = openJobs({ url: config.database.url.reveal(), log: openLog('silent') })
  try {
    stdout.write(`${await run(args, jobs)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError) && !isParseArgsError(error)) throw error
    stderr.write(`${error instanceof Error ? error.message : ''}\n${USAGE}\n`)
    return 2
  } finally {
    await jobs.close()
  }
}

async function run([command = 'help', ...args]: readonly string[], jobs: Jobs): Promise<string> {
  const { values } = parseArgs({ args, options: { queue: { type: 'string' }, id: { type: 'string' } } })
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
      if (values.id !== undefined && !isUuid(values.id)) throw new UsageError('--id must be the id that `dead` tells.')
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

function isParseArgsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
