/** The other forms of an English word or phrase that people write in descriptions. */
const VOWEL = /[aeiou]/

export function formsOf(text: string): string[] {
  const cut = text.lastIndexOf(' ') + 1
  const [before, word] = [text.slice(0, cut), text.slice(cut)]
  if (word.length < 3) return [text]
  return [...new Set([word, plural(word), ...singular(word), ...verbForms(word)])].map((form) => before + form)
}

function plural(word: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return `${word}s`
}

/** Of a head that is written in the plural: dogs, used cars, batteries. */
function singular(word: string): string[] {
  if (word.length < 4 || /(?:ss|us|is|ics|ns)$/.test(word) || !word.endsWith('s')) return []
  return word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : [word.slice(0, -1)]
}

function verbForms(word: string): string[] {
  if (/(?:ing|ed|er|ly|ion|ness|ity|s)$/.test(word)) return []
  if (word.endsWith('e')) return [`${word}d`, `${word.slice(0, -1)}ing`, `${word}r`]
  if (/[^aeiou]y$/.test(word)) return [`${word.slice(0, -1)}ied`, `${word}ing`]
  const doubled = /[^aeiou][aeiou][bdgklmnprt]$/.test(word) && word.length < 6 ? word + word.at(-1)! : word
  return VOWEL.test(word) ? [`${doubled}ed`, `${doubled}ing`] : []
}
