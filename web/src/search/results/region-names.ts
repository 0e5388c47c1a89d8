/** Countries by their names in the reader's language; a list that has the whole European Union says so. */
const UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
// They belong to another country of the list, and make it longer without saying more.
const TERRITORIES = new Set('AS AX BL CC CX GF GP GU MF MP MQ NC NF PF PM PR RE SJ TF UM VI WF YT'.split(' '))

export function regionNames(language: string): (code: string) => string {
  const names = new Intl.DisplayNames(language === 'en-XA' ? 'en' : language, { type: 'region' })
  return (code) => names.of(code) ?? code
}

export function shortRegions(codes: readonly string[]): readonly string[] {
  const main = codes.filter((code) => !TERRITORIES.has(code))
  return UNION.every((member) => main.includes(member)) ? ['EU', ...main.filter((code) => !UNION.includes(code))] : main
}
