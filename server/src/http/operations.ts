/**
 * The documentation of each operation besides its schemas: the function name for generated clients, and what a caller
 * should know before using it. The server refuses to start if a route has no entry here and declares none (`route.ts`).
 */
export interface OperationWords {
  readonly id: string
  readonly description: string
}

export const OPERATIONS: Readonly<Record<string, OperationWords>> = {
  },
}
