/** What we draw is read back by a decoder that is not ours, as a camera would. */
import jsQr from 'jsqr'
import { expect, test } from 'vitest'
import { qrMatrixOf } from './qr-matrix.ts'

const PIXELS = 4
const MARGIN = 4

function read(matrix: readonly (readonly boolean[])[]): string | undefined {
  const size = (matrix.length + 2 * MARGIN) * PIXELS
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const isDark = matrix[Math.floor(y / PIXELS) - MARGIN]?.[Math.floor(x / PIXELS) - MARGIN] === true
      if (isDark) pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
    }
  return jsQr(pixels, size, size)?.data
}

test.each([
  'otpauth://totp/Namewright:ada@people.example?secret=JBSWY3DPEHPK3PXP&issuer=Namewright',
  `otpauth://totp/Namewright:${'a-long-address-'.repeat(8)}@people.example?secret=${'JBSWY3DP'.repeat(6)}&issuer=Namewright&digits=6&period=30`,
  'n',
  'Zoë, Ирина, 花子',
  ...[20, 60, 100, 200, 300].map((length) => 'x1-'.repeat(length / 3)),
])('%s', (text) => {
  expect(read(qrMatrixOf(text) ?? [])).toBe(text)
})

test('a text that does not fit is refused', () => {
  expect(qrMatrixOf('x'.repeat(5_000))).toBeUndefined()
})
