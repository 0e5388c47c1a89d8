/** Starts the job worker: inside every node that serves, or as a process of its own (`namewright-server work`). */
import type { Context } from './context.ts'
import type { Handler, Work } from './platform/jobs/jobs.ts'
import { QUEUE_NAMES, type QueueName } from './platform/jobs/queues.ts'

export function startWorker(ctx: Context, places = ctx.config.worker.places): Work {
  const work = ctx.jobs.work({ handlers: handlersOf(ctx), places })
  ctx.log.info({ places }, 'worker started')
  return work
}

function handlersOf(ctx: Context): Record<QueueName, Handler> {
  const all = Object.assign({}, ...ctx.features.map(({ jobs }) => jobs)) as NonNullable<
    Context['features'][number]['jobs']
  >
  const handlers = QUEUE_NAMES.map((queue) => {
    const handler = all[queue]
    if (!handler) throw new Error(`no feature has a job for the queue ${queue}`)
    return [queue, handler(ctx)] as const
  })
  return Object.fromEntries(handlers) as Record<QueueName, Handler>
}
