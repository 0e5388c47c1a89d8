/** The calm page before the first search: something to begin with, and what can be relied on. */
import { useText } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'

const EXAMPLES = [
  'search.exampleBakery',
  'search.exampleApp',
  'search.exampleStudio',
  'search.exampleGarden',
  'search.exampleShop',
] as const
const FACTS = [
  { icon: 'shield', title: 'search.factAskTitle', text: 'search.factAskText' },
  { icon: 'refresh', title: 'search.factPriceTitle', text: 'search.factPriceText' },
  { icon: 'eye', title: 'search.factSoldTitle', text: 'search.factSoldText' },
] as const

export function Before({ onAsk }: { readonly onAsk: (description: string) => void }) {
  const { t } = useText()
  return (
    <>
      <section aria-labelledby="examples" className="grid gap-3">
        <h2 id="examples" className="font-sans text-sm font-medium tracking-normal text-faint">
          {t('search.examples')}
        </h2>
        <ul className="flex flex-wrap gap-2">
          {EXAMPLES.map((id) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => onAsk(t(id))}
                className="min-h-11 rounded-full border border-line bg-card px-4 py-1.5 text-start text-sm transition-colors duration-150 hover:border-edge hover:bg-sunken"
              >
                {t(id)}
              </button>
            </li>
          ))}
        </ul>
      </section>
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
