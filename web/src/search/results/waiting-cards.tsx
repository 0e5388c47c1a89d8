import { SkeletonCard } from './skeleton-card.tsx'

const PLACES = [1, 2, 3, 4, 5, 6]

/** The places of the cards while even what draws them is on its way. */
export function WaitingCards() {
  return (
    <div aria-busy="true" className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
      {PLACES.map((place) => (
        <SkeletonCard key={place} />
      ))}
    </div>
  )
}
