import { Skeleton } from '../../ui/skeleton.tsx'

/** The place of a tile that is still to come: as high as a tile. */
export function SkeletonCard() {
  return (
    <div aria-hidden="true" className="calm-pulse flex h-48 flex-col rounded-lg border border-line bg-card p-4">
      <Skeleton className="mt-16 h-10 w-3/5" />
      <div className="mt-auto flex items-center justify-between">
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="h-6 w-1/4" />
      </div>
    </div>
  )
}
