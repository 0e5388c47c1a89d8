/** The calm page before the first search: something to begin with, a sample result, and what can be relied on. */
import { useText } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Asked } from '../asked.ts'
import { DescriptionChips } from './description-chips.tsx'
import { RecentSearches } from './recent-searches.tsx'
import { useRecentSearches } from './recent-store.ts'
import { SampleResult } from './sample-result.tsx'

const EXAMPLES = ['search.exampleApp', 'search.exampleStudio', 'search.exampleGarden', 'search.exampleShop'] as const
const FACTS = [
  { icon: 'shield', title: 'search.factAskTitle', text: 'search.factAskText' },
  { icon: 'refresh', title: 'search.factPriceTitle', text: 'search.factPriceText' },
  { icon: 'eye', title: 'search.factSoldTitle', text: 'search.factSoldText' },
] as const

export function Before({
  onAsk,
  onRepeat,
}: {
  readonly onAsk: (description: string) => void
  readonly onRepeat: (asked: Asked) => void
}) {
  const { t } = useText()
  const recent = useRecentSearches()
  return (
    <>
      {recent.length > 0 && <RecentSearches recent={recent} onRepeat={onRepeat} />}
      <div className="grid gap-6 sm:grid-cols-[20rem_minmax(0,1fr)]">
        <SampleResult onAsk={onAsk} />
        <section aria-labelledby="examples" className="grid content-start gap-3">
          <h2 id="examples" className="font-sans text-sm font-medium tracking-normal text-faint">
            {t('search.examples')}
          </h2>
          <DescriptionChips
            chips={EXAMPLES.map((id) => ({ id, description: t(id) }))}
            onChoose={({ description }) => onAsk(description)}
          />
        </section>
      </div>
      <section aria-labelledby="facts" className="mt-14 border-t border-line pt-10">
        <h2 id="facts" className="sr-only">
          {t('search.facts')}
        </h2>
        <ul className="grid gap-8 sm:grid-cols-3">
          {FACTS.map(({ icon, title, text }) => (
            <li key={title} className="grid content-start gap-1.5">
              <Icon name={icon} size={24} className="mb-1 text-accent" />
              <h3 className="text-lg font-semibold">{t(title)}</h3>
              <p className="text-faint">{t(text)}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
