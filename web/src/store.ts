/**
 * A value beside the components: components that use it render again when it changes. A kept one is also in the browser's
 * storage, where a reload and, in `localStorage`, another tab find it.
 *
 * A storage that is full or forbidden is no failure: the value then lives as long as the page.
 */
import { useSyncExternalStore } from 'react'

export interface Store<Value> {
  readonly get: () => Value
  readonly change: (next: (value: Value) => Value) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<() => void>()
  let current = first
  return {
    get: () => current,
    change(next) {
      current = next(current)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function createKeptStore<Value>(options: {
  readonly key: string
  readonly storage: 'localStorage' | 'sessionStorage'
  /** Makes sense of whatever is stored; undefined is nothing. */
  readonly parse: (stored: unknown) => Value
}): Store<Value> {
  const { key, storage, parse } = options
  const read = (): Value | undefined => {
    try {
      const text = globalThis[storage].getItem(key)
      return parse(text === null ? undefined : JSON.parse(text))
    } catch {
      return undefined
    }
  }
  const store = createStore(read() ?? parse(undefined))
  // This event comes only from other tabs.
  addEventListener('storage', (event) => {
    if (event.key === key) store.change((value) => read() ?? value)
  })
  return {
    ...store,
    change(next) {
      store.change((value) => next(storage === 'localStorage' ? (read() ?? value) : value))
      try {
        globalThis[storage].setItem(key, JSON.stringify(store.get()))
      } catch {
        // Until the page is closed, then.
      }
    },
  }
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
