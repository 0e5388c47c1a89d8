/** The country of who registers: some suffixes are only for registrants of certain countries. */
import { useText } from '../../i18n/i18n.ts'
import { SelectField } from '../../ui/field.tsx'
import { regionNames } from '../results/region-names.ts'

// ISO 3166-1, without regions that nobody lives in.
const COUNTRIES =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  )

const NONE = '–'

export function CountryField({
  value,
  onChange,
}: {
  readonly value: string | undefined
  readonly onChange: (country: string | undefined) => void
}) {
  const { t, language } = useText()
  const nameOf = regionNames(language)
  const byName = new Intl.Collator(language === 'en-XA' ? 'en' : language)
  const options = COUNTRIES.map((code) => ({ code, name: nameOf(code) })).toSorted((a, b) =>
    byName.compare(a.name, b.name),
  )
  // The text of the chip, without a country.
  const label = t('search.presetCountry', { country: '' }).replace(/[\s:：]+$/u, '')
  return (
    <SelectField label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">{NONE}</option>
      {options.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
