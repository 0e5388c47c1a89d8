/** A few facts beside each other, each under its name. */
import type { ReactNode } from 'react'

export function Facts({ children, wide = false }: { readonly children: ReactNode; readonly wide?: boolean }) {
  const columns = wide
    ? 'grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))]'
    : 'grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))]'
  return <dl className={`grid gap-x-6 gap-y-4 ${columns}`}>{children}</dl>
}

export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-faint">{label}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}
