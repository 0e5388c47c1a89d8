/**
 * Starts the job worker. Each queue has a handler in `worker/`, which calls the same flows as the routes.
 *
 * A worker runs inside every node that serves, or as a separate process (`namewright-server work`).
 */
import type { Context } from '../context.ts'
import type { Handler, QueueName, Work } from '../automation/jobs/jobs.ts'
import { batch } from './batch.ts'
import { upkeep } from './upkeep.ts'
import { watch } from './watch.ts'
import { webhook } from './webhook.ts'

export function startWorker(ctx: Context, places = ctx.config.worker.places): Work {
  const work = ctx.jobs.work({ handlers: handlersOf(ctx), places })
  ctx.log.info({ places }, 'worker started')
  return work
}

function handlersOf(ctx: Context): Record<QueueName, Handler> {
  return {
    batch: batch(ctx),
    upkeep: upkeep(ctx),
    watch: watch(ctx),
    webhook: webhook(ctx),
  }
}
