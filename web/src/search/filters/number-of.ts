/** A whole number of a field, or undefined when there is none that fits. */
export function numberOf(text: string, least: number, most: number): number | undefined {
  const value = Number(text)
  return text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most ? value : undefined
}
