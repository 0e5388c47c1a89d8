/** The limits that the operator sets for an account: for all its keys, applications and members together. */
export interface Plan {
  readonly namesPerDay: number | null
  readonly namesPerMonth: number | null
  readonly requestsPerMinute: number | null
  readonly checksPerDay: number | null
  readonly keys: number | null
  readonly webhooks: number | null
  readonly applications: number | null
  readonly runningBatches: number | null
  readonly openStreams: number | null
  /** Of the history: its oldest records are deleted beyond it. */
  readonly historyBytes: number | null
  readonly batchBytes: number | null
  /** Of responses that are stored for an Idempotency-Key. */
  readonly answerBytes: number | null
  readonly favorites: number | null
}

/** Null is unlimited. */
export const UNLIMITED: Plan = {
  namesPerDay: null,
  namesPerMonth: null,
  requestsPerMinute: null,
  checksPerDay: null,
  keys: null,
  webhooks: null,
  applications: null,
  runningBatches: null,
  openStreams: null,
  historyBytes: null,
  batchBytes: null,
  answerBytes: null,
  favorites: null,
}

/** As stored, and as in the API. */
export interface PlanRow {
  readonly names_per_day: number | null
  readonly names_per_month: number | null
  readonly requests_per_minute: number | null
  readonly checks_per_day: number | null
  readonly keys: number | null
  readonly webhooks: number | null
  readonly applications: number | null
  readonly running_batches: number | null
  readonly open_streams: number | null
  readonly history_bytes: number | null
  readonly batch_bytes: number | null
  readonly answer_bytes: number | null
  readonly favorites: number | null
}

export const PLAN_COLUMNS = [
  'names_per_day',
  'names_per_month',
  'requests_per_minute',
  'checks_per_day',
  'keys',
  'webhooks',
  'applications',
  'running_batches',
  'open_streams',
  'history_bytes',
  'batch_bytes',
  'answer_bytes',
  'favorites',
] as const satisfies readonly (keyof PlanRow)[]

/** An absent column does not limit, for example if an account has no row. */
export function planOf(row: { readonly [Column in keyof PlanRow]?: number | null }): Plan {
  return {
    namesPerDay: row.names_per_day ?? null,
    namesPerMonth: row.names_per_month ?? null,
    requestsPerMinute: row.requests_per_minute ?? null,
    checksPerDay: row.checks_per_day ?? null,
    keys: row.keys ?? null,
    webhooks: row.webhooks ?? null,
    applications: row.applications ?? null,
    runningBatches: row.running_batches ?? null,
    openStreams: row.open_streams ?? null,
    historyBytes: row.history_bytes ?? null,
    batchBytes: row.batch_bytes ?? null,
    answerBytes: row.answer_bytes ?? null,
    favorites: row.favorites ?? null,
  }
}

export function rowOf(plan: Plan): PlanRow {
  return {
    names_per_day: plan.namesPerDay,
    names_per_month: plan.namesPerMonth,
    requests_per_minute: plan.requestsPerMinute,
    checks_per_day: plan.checksPerDay,
    keys: plan.keys,
    webhooks: plan.webhooks,
    applications: plan.applications,
    running_batches: plan.runningBatches,
    open_streams: plan.openStreams,
    history_bytes: plan.historyBytes,
    batch_bytes: plan.batchBytes,
    answer_bytes: plan.answerBytes,
    favorites: plan.favorites,
  }
}

/** The burst of an account: half a minute's requests. */
export const accountBurstOf = (perMinute: number): number => Math.ceil(perMinute / 2)

/** The remaining budgets of a key or an account; null is unlimited. A limit lowered below the usage leaves 0. */
export function leftOf(
  { perDay, perMonth }: { readonly perDay: number | null; readonly perMonth: number | null },
  { today, thisMonth }: { readonly today: number; readonly thisMonth: number },
): { readonly day: number | null; readonly month: number | null } {
  return {
    day: perDay === null ? null : Math.max(0, perDay - today),
    month: perMonth === null ? null : Math.max(0, perMonth - thisMonth),
  }
}
