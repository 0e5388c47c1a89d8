/** `pnpm exec node server/test/nightly/faults/restore/run.ts [ROWS]`: the drill at full size, a million rows of history unless another number is given. */
import { drillRestore } from './drill.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const drilled = await drillRestore(rows, console.log)
const { databaseBytes, backupSeconds, restoreSeconds, startSeconds, isExact, lostSeconds } = drilled
const bars = [
  { name: 'rows', measured: drilled.rows.toLocaleString('en'), ok: true },
  { name: 'database', measured: `${(databaseBytes / 1e6).toFixed(0)} MB`, ok: true },
  { name: 'full backup', measured: `${backupSeconds.toFixed(1)} s`, ok: true },
  { name: 'restored row for row', measured: String(isExact), ok: isExact },
  {
    name: 'restore and start, at most 60 s',
    measured: `${(restoreSeconds + startSeconds).toFixed(1)} s (${restoreSeconds.toFixed(1)} + ${startSeconds.toFixed(1)})`,
    ok: restoreSeconds + startSeconds <= 60,
  },
  { name: 'lost with the machine, at most 10 s', measured: `${lostSeconds.toFixed(1)} s`, ok: lostSeconds <= 10 },
]
for (const { name, measured, ok } of bars) console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(38)} ${measured}`)
const failed = bars.filter(({ ok }) => !ok).length
console.log(`${bars.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
