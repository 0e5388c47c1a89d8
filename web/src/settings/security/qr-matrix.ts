/** A QR code as rows of dark and light, with the lowest level of correction, because a screen has no scratches. */
import { encode } from 'uqr'

/** Undefined for a text that is too long. */
export function qrMatrixOf(text: string): readonly (readonly boolean[])[] | undefined {
  try {
    return encode(text, { ecc: 'L', border: 0 }).data
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
