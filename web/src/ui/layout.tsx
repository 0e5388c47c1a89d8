/**
 * The pieces that pages are made of: sections, cards, notes, empty places, waiting places. Those that the first load needs
 * as well have files of their own.
 */
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

export { Notice } from './notice.tsx'
export { Skeleton } from './skeleton.tsx'

export function Section({
  title,
  description,
  actions,
  children,
  id,
}: {
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  readonly id?: string
}) {
  return (
    <section id={id} className="grid grid-cols-1 gap-4 border-t border-line py-8 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="max-w-[40rem]">
          <h2 className="text-lg font-semibold">{title}</h2>
          {description !== undefined && <div className="mt-1 text-faint">{description}</div>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

export function Card({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return <div className={classes('rounded-lg border border-line bg-card p-5 shadow-card', className)}>{children}</div>
}

/** Nothing here yet, or nothing found: what it would be, and how to get it. */
export function Empty({
  icon,
  title,
  children,
  action,
  as: Title = 'p',
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** A heading where there is no other: of the page, or of a part of it. */
  readonly as?: 'h1' | 'h2' | 'p'
}) {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed border-line px-6 py-14 text-center">
      <Icon name={icon} size={28} className="text-faint" />
      <Title className="font-display text-lg font-semibold">{title}</Title>
      {children !== undefined && <div className="max-w-[32rem] text-faint">{children}</div>}
      {action}
    </div>
  )
}

export type BadgeTone = 'free' | 'taken' | 'premium' | 'sale' | 'unknown' | 'accent' | 'wrong'

const BADGES: Readonly<Record<BadgeTone, string>> = {
  free: 'bg-free-soft text-free',
  taken: 'bg-taken-soft text-taken',
  premium: 'bg-premium-soft text-premium',
  sale: 'bg-sale-soft text-sale',
  unknown: 'bg-unknown-soft text-unknown',
  accent: 'bg-accent-soft text-accent-strong',
  wrong: 'bg-wrong-soft text-wrong',
}

export function Badge({ tone, children }: { readonly tone: BadgeTone; readonly children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-sm font-medium ${BADGES[tone]}`}>
      {children}
    </span>
  )
}

export function PageTitle({ children, actions }: { readonly children: ReactNode; readonly actions?: ReactNode }) {
  useEffect(() => {
    if (typeof children !== 'string') return
    document.title = `${children} · Namewright`
    return () => {
      document.title = 'Namewright'
    }
  }, [children])
  return (
    <div className="mb-8 flex flex-wrap items-center justify-between gap-4">
      <h1 className="text-3xl font-semibold">{children}</h1>
      {actions}
    </div>
  )
}

/** A domain or a key inside a text of any direction. */
export function Ltr({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return (
    <bdi dir="ltr" translate="no" className={className}>
      {children}
    </bdi>
  )
}
