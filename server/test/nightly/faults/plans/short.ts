/** The plans of `pnpm exec node server/test/nightly/faults/run.ts ci`, in this order: what breaks most comes last. */
export const SHORT_PLANS = ['r1', 'r2', 'r3', 'r7', 'r13', 'r14', 'r9', 'r5'] as const
