/** Reed-Solomon over GF(2⁸) with the polynomial of QR codes, x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004 §7.5). */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

/** (x − 2⁰)(x − 2¹)…, highest power first, its leading 1 left out. */
function generator(degree: number): number[] {
  const terms = [...Array.from({ length: degree - 1 }, () => 0), 1]
  let root = 1
  for (let factor = 0; factor < degree; factor++) {
    for (let at = 0; at < degree; at++) terms[at] = multiply(terms[at] ?? 0, root) ^ (terms[at + 1] ?? 0)
    root = multiply(root, 2)
  }
  return terms
}

export function correctionOf(data: readonly number[], length: number): number[] {
  const terms = generator(length)
  const rest: number[] = Array.from({ length }, () => 0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (const [at, term] of terms.entries()) rest[at] = (rest[at] ?? 0) ^ multiply(term, factor)
  }
  return rest
}
