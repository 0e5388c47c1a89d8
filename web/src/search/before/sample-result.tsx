/** What a result looks like, before anybody has searched. A press searches for the description that it belongs to. */
import { useText } from '../../i18n/i18n.ts'
import { Ltr } from '../../ui/layout.tsx'
import { SAMPLES } from './samples.ts'

export function SampleResult({ onAsk }: { readonly onAsk: (description: string) => void }) {
  const { t, language } = useText()
  const { name, domain } = SAMPLES[language === 'en-XA' ? 'en' : language]
  const description = t('search.exampleBakery')
  return (
    <section aria-labelledby="sample" className="grid content-start gap-3">
      <h2 id="sample" className="font-sans text-sm font-medium tracking-normal text-faint">
        {t('search.sample')}
      </h2>
      <button
        type="button"
        onClick={() => onAsk(description)}
        className="grid gap-3 rounded-lg border border-line bg-card p-4 text-start shadow-card transition-colors duration-150 hover:border-edge"
      >
        <bdi translate="no" className="font-display text-4xl font-semibold">
          {name}
        </bdi>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
          <Ltr className="font-mono">{domain}</Ltr>
          <span className="text-faint">{t('search.sampleState')}</span>
        </span>
        <span className="border-t border-line pt-3 text-sm text-faint">{t('search.sampleFor', { description })}</span>
      </button>
    </section>
  )
}
