/** What this extension uses of React, declared by hand: Raycast provides React at run time. */
declare module 'react' {
  export interface ReactElement {
    readonly type: unknown
  }
  export type ReactNode = ReactElement | string | number | boolean | null | undefined | readonly ReactNode[]
  export function useState<Value>(initial: Value | (() => Value)): [Value, (value: Value) => void]
  export function useEffect(effect: () => void | (() => void), dependencies: readonly unknown[]): void
}

declare module 'react/jsx-runtime' {
  import type { ReactElement, ReactNode } from 'react'

  export namespace JSX {
    type Element = ReactElement
    interface ElementChildrenAttribute {
      children: ReactNode
    }
    interface IntrinsicAttributes {
      key?: string
    }
  }
  export function jsx(type: unknown, props: unknown, key?: string): ReactElement
  export function jsxs(type: unknown, props: unknown, key?: string): ReactElement
  export const Fragment: unknown
}
