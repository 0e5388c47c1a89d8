/**
 * A timer for how long another server may take. A pause of this whole process, such as a suspended virtual machine, does
 * not count against that server: the timer runs in steps, and a pause ends at most one of them. Responses that arrived
 * meanwhile are read before the next step ends.
 */
const STEPS = 4

/** The returned function stops the timer. */
export function startPauseTolerantTimer(ms: number, onEnd: () => void): () => void {
  let ended = 0
  let timer = setTimeout(endStep, ms / STEPS)

  function endStep(): void {
    ended += 1
    if (ended === STEPS) return onEnd()
    timer = setTimeout(endStep, ms / STEPS)
  }

  return () => clearTimeout(timer)
}
