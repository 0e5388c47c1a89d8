/** What a source says of itself. The service writes it in English; what it says most is said in the reader's language. */
import { useText } from '../i18n/i18n.ts'

export function Detail({ said }: { readonly said: string | null }) {
  const { t } = useText()
  if (said === null) return null
  const [, believed, all] = /^(?:(\d+) of )?(\d+) suffixes/.exec(said) ?? []
  const known =
    said === 'not used yet'
      ? t('operator.notAsked')
      : said === 'not connected'
        ? t('operator.notConnected')
        : believed !== undefined
          ? t('operator.someSuffixes', { count: Number(believed), all: Number(all) })
          : all === undefined
            ? undefined
            : t('operator.suffixes', { count: Number(all) })
  return (
    <p {...(known === undefined ? { lang: 'en' } : {})} className="mt-1 max-w-60 text-sm text-faint">
      {known ?? said}
    </p>
  )
}
