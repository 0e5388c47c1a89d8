import { Skeleton } from '../ui/layout.tsx'

/** The shape of the list while it is on its way. */
export function FavoritesWaiting() {
  return (
    <div aria-busy="true" className="grid gap-4">
      {[1, 2, 3].map((one) => (
        <div key={one} className="grid gap-4 rounded-lg border border-line bg-card p-5 lg:grid-cols-[1fr_13rem_12rem]">
          <div className="grid gap-2">
            <Skeleton className="h-8 w-48" />
            <Skeleton className="h-5 w-36" />
          </div>
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-10" />
        </div>
      ))}
    </div>
  )
}
