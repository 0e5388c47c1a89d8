/**
 * `pnpm exec node scripts/command/record.ts`: types commands in a terminal of 80 by 24 that only reaches a simulated internet,
 * and writes what the terminal showed to `docs/screenshots/command.svg`. Needs tmux (Debian: `tmux`).
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openCommandInternet } from '../../server/test/internet/command-internet.ts'

interface Frame {
  readonly atMs: number
  readonly rows: readonly string[]
}

const COMMANDS = [
  'namewright check crumbfolk --tlds com,io,shop',
  'namewright "a bakery that delivers by bicycle" --tlds com,io,shop --count 5',
]
const ROOT = resolve(import.meta.dirname, '../..')
const PICTURE = `${ROOT}/docs/screenshots/command.svg`
const [COLUMNS, ROWS] = [80, 24]
const [CELL, LINE, PADDING] = [8.4, 18, 14]
const [KEY_MS, POLL_MS, GIVE_UP_MS] = [50, 50, 60_000]
// Nobody wants to watch a computer wait.
const [LONGEST_MS, LAST_MS] = [1_000, 5_000]
const COLOURS: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 35: 'm', 36: 'c' }

await writeFile(PICTURE, svgOf(paced(await record())))

async function record(): Promise<readonly Frame[]> {
  const isRegistered = (domain: string) =>
    (createHash('sha256').update(domain).digest()[0] ?? 0) < (domain.endsWith('.com') ? 150 : 50)
  await using internet = await openCommandInternet({ isRegistered, dnsMs: 100 })
  const home = await mkdtemp(`${tmpdir()}/namewright-record-`)
  const env = {
    ...internet.env,
    PATH: `${ROOT}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
    HOME: home,
    LANG: 'C.UTF-8',
    PS1: '$ ',
  }
  const tmux = async (...args: readonly string[]) =>
    (await promisify(execFile)('tmux', ['-u', '-S', `${home}/tmux`, '-f', '/dev/null', ...args], { env })).stdout
  const size = ['-x', String(COLUMNS), '-y', String(ROWS)]
  await tmux('new-session', '-d', ...size, 'bash', '--norc', '--noprofile')
  const frames: Frame[] = []
  const look = async () => {
    const rows = (await tmux('capture-pane', '-p', '-e')).trimEnd().split('\n')
    if (frames.at(-1)?.rows.join('\n') !== rows.join('\n')) frames.push({ atMs: performance.now(), rows })
    return rows.at(-1)
  }
  const waitForPrompt = async () => {
    const startedAt = performance.now()
    while ((await look()) !== '$') {
      if (performance.now() - startedAt > GIVE_UP_MS) throw new Error(`no prompt:\n${frames.at(-1)?.rows.join('\n')}`)
      await sleep(POLL_MS)
    }
  }
  try {
    await waitForPrompt()
    for (const command of COMMANDS) {
      for (const keys of command.match(/..?/g) ?? []) {
        await tmux('send-keys', '-l', '--', keys)
        await sleep(KEY_MS)
        await look()
      }
      await tmux('send-keys', 'Enter')
      // Until the terminal shows more than what was typed.
      const typed = frames.length
      while (frames.length === typed) await look()
      await waitForPrompt()
    }
  } finally {
    await tmux('kill-server')
    await rm(home, { recursive: true })
  }
  return frames
}

function paced(frames: readonly Frame[]): readonly Frame[] {
  let atMs = 0
  return frames.map(({ atMs: seenAt, rows }, i) => {
    if (i > 0) atMs += Math.min(LONGEST_MS, seenAt - (frames[i - 1]?.atMs ?? seenAt))
    return { atMs, rows }
  })
}

/** Each row's text is shown from the first frame that has it to the first that has another. */
function svgOf(frames: readonly Frame[]): string {
  const endMs = (frames.at(-1)?.atMs ?? 0) + LAST_MS
  const shown = new Map<string, string[]>()
  for (let row = 0; row < ROWS; row += 1) {
    let [text, since] = ['', 0]
    for (const { atMs, rows } of [...frames, { atMs: endMs, rows: [] }]) {
      const next = rows[row] ?? ''
      if (next === text && atMs < endMs) continue
      const period = `${percent(since, endMs)} ${percent(atMs, endMs)}`
      if (text !== '') shown.set(period, [...(shown.get(period) ?? []), ...textsOf(text, row)])
      ;[text, since] = [next, atMs]
    }
  }
  const parts = [...shown].map(([period, texts], i) => {
    const [from = '', to = ''] = period.split(' ')
    const isLast = to === '100%'
    const steps = `${from === '0%' ? '' : '0%{visibility:hidden}'}${from}{visibility:visible}${isLast ? '' : `${to}{visibility:hidden}`}`
    return {
      rule: `@keyframes k${i}{${steps}}#k${i}{animation-name:k${i}}`,
      group: `<g id="k${i}"${isLast ? ' class="l"' : ''}>${texts.join('')}</g>`,
    }
  })
  const [width, height] = [Math.ceil(COLUMNS * CELL + 2 * PADDING), ROWS * LINE + 2 * PADDING]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>A terminal: namewright checks crumbfolk under three suffixes, then suggests five names for a bakery, each with its verdicts and prices</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}
.b{font-weight:bold}.d{fill:#9198a1}.r{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}.m{fill:#d2a8ff}.c{fill:#79c0ff}
g{visibility:hidden;animation:${(endMs / 1000).toFixed(1)}s step-end infinite}.l{visibility:visible}
${parts.map(({ rule }) => rule).join('\n')}
@media(prefers-reduced-motion:reduce){g{animation:none!important}}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${parts.map(({ group }) => group).join('\n')}
</svg>
`
}

/** The words of a row, each at its column, because fonts differ in the width of a symbol. */
function textsOf(row: string, index: number): string[] {
  let [column, style] = [0, '']
  // oxlint-disable-next-line no-control-regex -- that is what a terminal writes
  return [...row.matchAll(/\x1b\[([\d;]*)m|( +)|((?:[^\x1b ]| (?! ))+)/g)].flatMap(([piece, codes, , text]) => {
    if (codes !== undefined) style = COLOURS[codes.split(';').at(-1) ?? ''] ?? ''
    else column += piece.length
    if (text === undefined) return []
    const x = (PADDING + (column - piece.length) * CELL).toFixed(1)
    const y = PADDING + index * LINE + 14
    const length = (text.length * CELL).toFixed(1)
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return `<text x="${x}" y="${y}" textLength="${length}"${style === '' ? '' : ` class="${style}"`}>${escaped}</text>`
  })
}

function percent(ms: number, endMs: number): string {
  return `${Number(((100 * ms) / endMs).toFixed(2))}%`
}
