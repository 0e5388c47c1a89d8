import { Skeleton } from '../../ui/skeleton.tsx'

/** The place of a tile that is still to come: as high as a tile. */
export function SkeletonCard() {
  return (
    <div
      aria-hidden="true"
      className="calm-pulse flex h-44 flex-col rounded-lg border border-line bg-card p-4 pointer-coarse:h-46"
    >
      <Skeleton className="my-auto h-10 w-3/5" />
      <div className="flex items-center justify-between">
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="h-6 w-1/4" />
      </div>
      <Skeleton className="mt-2 h-8 w-2/5" />
    </div>
  )
}
