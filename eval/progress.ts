/** One line that says how far a long run is; on a terminal only, because in a log it would be noise. */

export interface Progress {
  (what: string, done: number, of: number): void
}

export function createProgress(stream: NodeJS.WriteStream, now: () => number): Progress {
  if (!stream.isTTY) return () => {}
  let started = { what: '', at: 0 }
  return (what, done, of) => {
    if (started.what !== what) started = { what, at: now() }
    const leftMs = ((now() - started.at) / Math.max(done, 1)) * (of - done)
    const left = done < of ? `, ${Math.ceil(leftMs / 1000)} s left` : ''
    stream.write(`\r\u001B[K${what}: ${done} of ${of}${left}${done < of ? '' : '\n'}`)
  }
}
