import { useText } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/field.tsx'
import { listOf, textOf } from '../asked.ts'
import type { Asked } from '../asked.ts'
import type { Edit } from './filter-popover.tsx'

// People write lists with what their keyboard has.
const wordsOf = (text: string) => textOf(listOf(text.replaceAll(/[\s،、，;]+/g, ',')).slice(0, 20))

export function WordsPanel({ draft, edit }: { readonly draft: Asked; readonly edit: Edit }) {
  const { t } = useText()
  return (
    <>
      <TextField
        label={t('search.wordsWith')}
        hint={t('search.wordsHint')}
        defaultValue={listOf(draft.with).join(', ')}
        autoComplete="off"
        maxLength={800}
        onChange={({ target }) => edit({ with: wordsOf(target.value) })}
      />
      <TextField
        label={t('search.wordsWithout')}
        defaultValue={listOf(draft.without).join(', ')}
        autoComplete="off"
        maxLength={800}
        onChange={({ target }) => edit({ without: wordsOf(target.value) })}
      />
    </>
  )
}
