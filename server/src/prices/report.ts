/** What became of a list or file: for the log, and for whoever watches it. */
export interface PriceReport {
  readonly what: 'price list' | 'rates' | 'own prices' | 'own rates'
  /** False: it was refused, and what was there before stays in use. */
  readonly ok: boolean
  readonly detail: string
}

export type OnReport = (report: PriceReport) => void

/** ", passed over: a, b": single entries of a good list that could not be believed. */
export function passedOver(names: readonly string[]): string {
  return names.length === 0 ? '' : `, passed over: ${names.join(', ')}`
}
