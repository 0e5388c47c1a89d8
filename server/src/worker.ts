/**
 * Starts the job worker. Each queue has a handler in `worker/`, which calls the same flows as the routes.
 *
 * A worker runs inside every node that serves, or as a separate process (`namewright-server work`).
 */
import type { Context } from './context.ts'
import type { Handler, QueueName, Work } from './platform/jobs/jobs.ts'
import { batch } from './features/batches/jobs.ts'
import { upkeep } from './features/operation/jobs.ts'
import { watch } from './features/watch/jobs.ts'
import { webhook } from './features/webhooks/jobs.ts'

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
