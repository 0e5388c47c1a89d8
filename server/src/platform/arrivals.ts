/** A queue of values that arrive while others are being worked on. */
export interface Arrivals<T> {
  add(value: T): void
  /** What is added later is ignored. */
  end(): void
  /** What has arrived since the last batch, as soon as there is something, until the end. */
  batches(): AsyncGenerator<readonly T[]>
}

export function createArrivals<T>(): Arrivals<T> {
  const arrived: T[] = []
  let isOver = false
  let notify = () => {}
  return {
    add(value) {
      if (isOver) return
      arrived.push(value)
      notify()
    },
    end() {
      isOver = true
      notify()
    },
    async *batches() {
      for (;;) {
        if (arrived.length > 0) yield arrived.splice(0)
        else if (isOver) return
        else await new Promise<void>((resolve) => (notify = resolve))
      }
    },
  }
}
