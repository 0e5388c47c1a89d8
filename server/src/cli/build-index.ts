/**
 * `namewright-server index`: builds the index that nodes poll from zone files, and downloads zone files from CZDS.
 *
 * A function of its arguments and streams that returns the exit code: 0 all done, 1 some zone was refused or could
 * not be downloaded (the others were), 2 a mistake in the arguments.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIndex, type BuildOutcome, type Progress, type ZoneFile } from '@namewright/zone-index/build'
import { CzdsError, openCzds, type CzdsOptions } from '@namewright/zone-index/czds'
import { parseOptions, UsageError } from './command-line.ts'
import { isSuffix, type Suffix } from '../model/domain.ts'

export const USAGE = `namewright-server index fetch --zones DIR [--suffix SUFFIX]…
    downloads the zones your CZDS account is approved for, each at most once in 24 hours
namewright-server index build --zones DIR --out DIR [--suffix SUFFIX]… [--snapshot ISO-TIME]
    builds or updates the index in --out from the files SUFFIX.zone.gz (or .txt.gz, .zone, .txt) in --zones;
    the snapshot time is the modification time of the file, unless you set --snapshot`

export interface IndexOptions {
  /** Without it `fetch` is not available. */
  readonly czds?: Omit<CzdsOptions, 'request' | 'now'>
  readonly request: CzdsOptions['request']
  readonly now: () => number
}

export interface IndexStreams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean }
}

export async function runIndex(args: readonly string[], options: IndexOptions, streams: IndexStreams): Promise<number> {
  try {
    const [command = 'help', ...rest] = args
    const values = parseOptions(rest, OPTIONS)
    if (command === 'build') return await build(values, options, streams)
    if (command === 'fetch') return await fetchZones(values, options, streams)
    if (command !== 'help') throw new UsageError(`There is no command index ${command}.`)
    streams.stdout.write(`${USAGE}\n`)
    return 0
  } catch (error) {
    if (error instanceof CzdsError) {
      streams.stderr.write(`${error.message}\n`)
      return 1
    }
    if (!(error instanceof UsageError)) throw error
    streams.stderr.write(`${error.message}\n${USAGE}\n`)
    return 2
  }
}

const REDRAW_MS = 200
const LINE_MS = 30_000
const WIDTH = 24
// Reading is about two thirds of the work on a zone; building starts when everything is read.
const READ_SHARE = 0.65

interface BuildIndexValues {
  readonly zones?: string | undefined
  readonly out?: string | undefined
  readonly suffix?: readonly string[] | undefined
  readonly snapshot?: string | undefined
}

async function build(
  values: BuildIndexValues,
  { now }: IndexOptions,
  { stdout, stderr }: IndexStreams,
): Promise<number> {
  const out = textOf(values.out, '--out')
  const snapshotAt = values.snapshot === undefined ? undefined : timeOf(values.snapshot)
  const found = await findZones(textOf(values.zones, '--zones'), wantedOf(values))
  const zones = found.map((zone) => ({ ...zone, snapshotAt: snapshotAt ?? zone.writtenAt }))
  const bar = createProgressBar(stderr, new Map(found.map(({ suffix, size }) => [suffix, size])), now)
  const outcomes = await buildIndex({ zones, out, snapshotAt: now(), onProgress: (progress) => bar.show(progress) })
  bar.end()
  for (const outcome of outcomes) stdout.write(`${lineOf(outcome)}\n`)
  return outcomes.some(({ kind }) => kind === 'refused') ? 1 : 0
}

async function fetchZones(
  values: BuildIndexValues,
  options: IndexOptions,
  { stdout, stderr }: IndexStreams,
): Promise<number> {
  if (options.czds === undefined)
    throw new UsageError('index fetch needs the user name and password of a CZDS account.')
  const directory = textOf(values.zones, '--zones')
  const wanted = wantedOf(values)
  const czds = openCzds({ ...options.czds, request: options.request, now: options.now })
  const zones = await czds.listZones()
  let failed = 0
  for (const suffix of wanted ?? zones.keys()) {
    const url = zones.get(suffix)
    try {
      if (url === undefined) throw new CzdsError(`your CZDS account is not approved for ${suffix}`)
      stdout.write(`${suffix} ${await czds.fetchZone(suffix, url, directory)}\n`)
    } catch (error) {
      if (!(error instanceof CzdsError)) throw error
      failed++
      stderr.write(`${error.message}\n`)
    }
  }
  return failed > 0 ? 1 : 0
}

async function findZones(
  directory: string,
  wanted: ReadonlySet<Suffix> | undefined,
): Promise<(ZoneFile & { size: number; writtenAt: number })[]> {
  const names = await readdir(directory).catch(() => {
    throw new UsageError(`--zones: there is no directory ${directory}.`)
  })
  const zones = new Map<Suffix, ZoneFile & { size: number; writtenAt: number }>()
  for (const name of names) {
    const suffix = /^([^.].*)\.(?:zone|txt)(?:\.gz)?$/.exec(name)?.[1] ?? ''
    if (!isSuffix(suffix) || (wanted !== undefined && !wanted.has(suffix))) continue
    const path = join(directory, name)
    const { size, mtimeMs } = await stat(path)
    zones.set(suffix, { suffix, path, size, writtenAt: Math.floor(mtimeMs) })
  }
  const missing = [...(wanted ?? [])].filter((suffix) => !zones.has(suffix))
  if (missing.length > 0) throw new UsageError(`--zones: there is no zone file for ${missing.join(', ')}.`)
  if (zones.size === 0) throw new UsageError(`--zones: there is no zone file in ${directory}.`)
  return [...zones.values()]
}

function lineOf(outcome: BuildOutcome): string {
  if (outcome.kind === 'refused') return `${outcome.suffix} refused: ${outcome.reason}`
  const malformed = outcome.malformedLines > 0 ? `, ${outcome.malformedLines} lines were not records` : ''
  return `${outcome.suffix} ${outcome.names} names, ${outcome.kind === 'base' ? 'new base' : 'delta'}${malformed}`
}

const OPTIONS = {
  zones: { type: 'string' },
  out: { type: 'string' },
  suffix: { type: 'string', multiple: true },
  snapshot: { type: 'string' },
} as const

function wantedOf({ suffix }: BuildIndexValues): ReadonlySet<Suffix> | undefined {
  if (suffix === undefined) return undefined
  return new Set(
    suffix.map((text) => {
      if (!isSuffix(text)) throw new UsageError(`--suffix: ${text} is not a suffix.`)
      return text
    }),
  )
}

function textOf(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`${option} is missing.`)
  return value
}

function timeOf(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new UsageError('--snapshot must be a time such as 2026-07-01T00:00:00Z.')
  return time
}

interface ProgressBar {
  show(progress: Progress): void
  /** Ends the line, so that the next output starts on its own line. */
  end(): void
}

/**
 * On a terminal one line that redraws itself, elsewhere an occasional line, so that a log does not fill with bars.
 */
function createProgressBar(
  stream: { write(text: string): unknown; readonly isTTY?: boolean },
  sizes: ReadonlyMap<string, number>,
  now: () => number,
): ProgressBar {
  const isTerminal = stream.isTTY === true
  const startedAt = now()
  const whole = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  let finished = 0
  let current = ''
  let shownAt = -Infinity
  let isDirty = false

  return {
    show({ suffix, phase, done, total }) {
      if (suffix !== current) {
        finished += sizes.get(current) ?? 0
        current = suffix
      }
      const at = now()
      if (at - shownAt < (isTerminal ? REDRAW_MS : LINE_MS)) return
      shownAt = at
      const ofPhase = done / Math.max(1, total)
      const ofZone = phase === 'read' ? ofPhase * READ_SHARE : READ_SHARE + ofPhase * (1 - READ_SHARE)
      const share = Math.min(1, (finished + (sizes.get(suffix) ?? 0) * ofZone) / Math.max(1, whole))
      const left = share > 0 ? ((at - startedAt) * (1 - share)) / share : Infinity
      const filled = Math.round(share * WIDTH)
      const percent = `${Math.floor(share * 100)} %`.padStart(5)
      const text = `${percent}  ${suffix} (${phase})  ${durationOf(left)} left`
      const bar = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]`
      // Clears the rest of a longer previous line.
      stream.write(isTerminal ? `\r${bar} ${text}\u001B[K` : `${text.trim()}\n`)
      isDirty = isTerminal
    },
    end() {
      if (isDirty) stream.write('\n')
      isDirty = false
    },
  }
}

function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (!Number.isFinite(seconds)) return 'unknown time'
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
