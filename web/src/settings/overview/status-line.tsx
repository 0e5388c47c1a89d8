/** A line about how something is: a sign, its colour and its words. */
import type { ReactNode } from 'react'
import { faultText } from '../../ui/fault.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon.tsx'

const STYLES: Readonly<Record<'good' | 'mind' | 'bad', { readonly icon: IconName; readonly color: string }>> = {
  good: { icon: 'check', color: 'text-free' },
  mind: { icon: 'warn', color: 'text-sale' },
  bad: { icon: 'warn', color: 'text-wrong' },
}

export function StatusLine({ is, children }: { readonly is: 'good' | 'mind' | 'bad'; readonly children: ReactNode }) {
  const { icon, color } = STYLES[is]
  return (
    <p className={`flex gap-2 ${color}`}>
      <Icon name={icon} size={18} className="mt-1" />
      <span>{children}</span>
    </p>
  )
}

export function Unknown({ error }: { readonly error: unknown }) {
  return <StatusLine is="bad">{faultText(error)}</StatusLine>
}
