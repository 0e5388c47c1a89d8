/**
 * How English-looking a string of letters is: the chance of each letter after the two before it.
 *
 * Learned by the build from the vocabulary; 27 signs, where 0 is the edge of a word.
 */
export const SIGNS = 27

export function learnLetters(words: Iterable<string>): Float32Array {
  const counts = new Float64Array(SIGNS ** 3).fill(0.05)
  for (const word of words) eachTriple(word, (triple) => (counts[triple]! += 1))
  const table = new Float32Array(SIGNS ** 3)
  for (let pair = 0; pair < SIGNS ** 2; pair++) {
    let sum = 0
    for (let next = 0; next < SIGNS; next++) sum += counts[pair * SIGNS + next]!
    for (let next = 0; next < SIGNS; next++) {
      // Rounded, so that no machine's logarithm makes another file.
      table[pair * SIGNS + next] = Math.round(Math.log2(counts[pair * SIGNS + next]! / sum) * 64) / 64
    }
  }
  return table
}

/** Mean and worst of the letters' chances, in bits. */
export function fluency(table: Float32Array, label: string): { mean: number; worst: number } {
  let sum = 0
  let worst = 0
  let count = 0
  eachTriple(label, (triple) => {
    const bits = table[triple]!
    sum += bits
    count++
    if (bits < worst) worst = bits
  })
  return { mean: sum / count, worst }
}

function eachTriple(word: string, see: (triple: number) => void): void {
  let one = 0
  let two = 0
  for (let at = 0; at <= word.length; at++) {
    const code = word.charCodeAt(at)
    const sign = code >= 0x61 && code <= 0x7a ? code - 0x60 : 0
    see((one * SIGNS + two) * SIGNS + sign)
    one = two
    two = sign
  }
}
