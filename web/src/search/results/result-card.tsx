/**
 * One name: where it comes from, the best domain for it, the others, and what can be done with them. Drawn again only when
 * something of this very name changes.
 */
import { memo, useId, useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { Heart } from '../actions/heart.tsx'
import { SayIt } from '../actions/say-it.tsx'
import { bestOf } from '../result.ts'
import type { Result } from '../result.ts'
import { ChosenDomain } from './chosen-domain.tsx'
import { CompareToggle } from './compare-toggle.tsx'
import { DomainChip } from './domain-chip.tsx'

export interface CardProps {
  readonly result: Result
  readonly isLive: boolean
  readonly isFirst: boolean
  readonly language: string | undefined
  readonly onSteer: (name: string, towards: boolean) => void
}

export const ResultCard = memo(function ResultCard({ result, isLive, isFirst, language, onSteer }: CardProps) {
  const { t } = useText()
  const id = useId()
  const { name, rationale, domains } = result
  const [shown, setShown] = useState<string>()
  const chosen = domains.find(({ domain }) => domain === shown) ?? bestOf(result, isLive)
  return (
    <article
      data-result={name}
      tabIndex={isFirst ? 0 : -1}
      aria-labelledby={id}
      className="row-span-4 grid grid-rows-subgrid gap-3 rounded-lg border border-line bg-card p-5 shadow-card"
    >
      <div className="-mt-1 flex items-start justify-between gap-2">
        <h3 id={id} className="min-w-0 pt-0.5 text-[1.7rem] leading-tight font-semibold">
          <bdi translate="no">{name}</bdi>
        </h3>
        <div className="-me-2 flex shrink-0">
          <SayIt name={name} language={language} />
          <CompareToggle result={result} />
          {chosen && <Heart name={name} domain={chosen} small />}
        </div>
      </div>
      <p className="text-faint">{rationale}</p>
      {chosen ? (
        <ChosenDomain name={name} entry={chosen} isLive={isLive}>
          <IconButton icon="like" small label={t('search.moreLike', { name })} onClick={() => onSteer(name, true)} />
          <IconButton icon="unlike" small label={t('search.lessLike', { name })} onClick={() => onSteer(name, false)} />
        </ChosenDomain>
      ) : (
        <span />
      )}
      <div className="flex flex-wrap content-start items-center gap-1.5 border-t border-line pt-3">
        {domains.map((entry) => (
          <DomainChip
            key={entry.domain}
            entry={entry}
            isLive={isLive}
            isShown={entry === chosen}
            onShow={() => setShown(entry.domain)}
          />
        ))}
      </div>
    </article>
  )
})
