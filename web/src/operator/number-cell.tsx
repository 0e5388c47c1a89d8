/** A number in a table: its digits stand below each other. */
import { useFormat } from '../i18n/format.ts'

export function NumberCell({ value }: { readonly value: number }) {
  return <td className="text-end whitespace-nowrap tabular-nums">{useFormat().number(value)}</td>
}
