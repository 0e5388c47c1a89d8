import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { toggleCompared, useCompared } from '../compare/compared.ts'
import type { Result } from '../result.ts'

export function CompareToggle({ result }: { readonly result: Result }) {
  const { t } = useText()
  const isIn = useCompared().some(({ name }) => name === result.name)
  return (
    <IconButton
      icon="compare"
      small
      label={t('search.compare', { name: result.name })}
      aria-pressed={isIn}
      onClick={() => toggleCompared(result)}
    />
  )
}
