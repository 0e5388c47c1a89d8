import { Skeleton } from '../../ui/layout.tsx'

/** The place of a card that is still to come. */
export function SkeletonCard() {
  return (
    <div
      aria-hidden="true"
      className="calm-pulse row-span-4 flex min-h-64 flex-col gap-3 rounded-lg border border-line bg-card p-5"
    >
      <Skeleton className="h-8 w-2/5" />
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="mt-auto h-6 w-1/2" />
      <Skeleton className="h-5 w-1/3" />
      <div className="flex gap-2 border-t border-line pt-3">
        <Skeleton className="h-8 w-20" />
        <Skeleton className="h-8 w-16" />
        <Skeleton className="h-8 w-16" />
      </div>
    </div>
  )
}
