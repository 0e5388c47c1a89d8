/** A worker to be killed: `batch` leaves a row in `effect` and ends its job, in one commit. Takes the database's URL. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Handler, openDb, openJobs, openLog, sql } from '../../source.ts'

const [url = '', pauseMs = '0'] = process.argv.slice(2)
const db = openDb({ url, poolSize: 4 })
const jobs = openJobs({ url, log: openLog('info') })
const batch: Handler = async (job) => {
  if (job.account === undefined) throw new Error('whose is this?')
  const { n } = job.data as { n: number }
  // Never less than half: a long pause means that no job ends by itself.
  await sleep((0.5 + Math.random() / 2) * Number(pauseMs), undefined, { signal: job.signal })
  const leaving = sql('leave', 'INSERT INTO effect (account_id, n, pid) VALUES ($1, $2, $3)', [
    job.account,
    n,
    process.pid,
  ])
  await db.as(job.account, [leaving, job.finishing()])
  // Killed here the job is done, and the queue does not know it.
  await sleep(Math.random() * 5)
}
const work = jobs.work({ handlers: { batch }, places: 8 })
console.log('working')
await once(process, 'SIGTERM')
await work.stop()
await Promise.all([jobs.close(), db.close()])
console.log('stopped')
