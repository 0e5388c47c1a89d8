/**
 * The second door: jobs. Each queue has a handler in `worker/`, which calls the same flows as the routes do.
 *
 * A worker runs inside every node that serves, or as a process of its own (`namewright-server work`).
 */
import type { Context } from './context.ts'
import type { Handler, QueueName, Work } from './jobs/jobs.ts'
import { batch } from './worker/batch.ts'
import { upkeep } from './worker/upkeep.ts'
import { watch } from './worker/watch.ts'
import { webhook } from './worker/webhook.ts'

export function startWorker(ctx: Context, places = ctx.config.worker.places): Work {
  const work = ctx.jobs.work({ handlers: handlersOf(ctx), places })
  ctx.log.info({ places }, 'working')
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
