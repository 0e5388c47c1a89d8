/** A picture for a camera. Always dark on light, in every theme: most cameras read no other. */
import { useMemo } from 'react'
import { qrMatrixOf } from './qr-matrix.ts'

// What is around it must be light for four squares.
const QUIET = 4

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const matrix = useMemo(() => qrMatrixOf(text), [text])
  if (!matrix) return null
  const size = matrix.length + 2 * QUIET
  const path = matrix.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-56 rounded-md border border-line forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
