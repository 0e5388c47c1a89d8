/** A note inside the page: something to know, something that went wrong, something done. */
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

type Tone = 'info' | 'wrong' | 'warn' | 'done'

const TONES: Readonly<Record<Tone, { readonly surface: string; readonly icon: IconName }>> = {
  info: { surface: 'border-accent bg-accent-soft', icon: 'info' },
  wrong: { surface: 'border-wrong bg-wrong-soft', icon: 'warn' },
  warn: { surface: 'border-sale bg-sale-soft', icon: 'warn' },
  done: { surface: 'border-free bg-free-soft', icon: 'check' },
}

export function Notice({
  tone = 'info',
  title,
  children,
  action,
  alert = false,
}: {
  readonly tone?: Tone
  readonly title?: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** Read out at once. */
  readonly alert?: boolean
}) {
  const { surface, icon } = TONES[tone]
  return (
    <div role={alert ? 'alert' : undefined} className={`flex gap-3 rounded-md border-s-4 p-4 ${surface}`}>
      <Icon name={icon} className="mt-0.5" />
      <div className="grid flex-1 gap-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div>{children}</div>}
        {action !== undefined && <div className="mt-2">{action}</div>}
      </div>
    </div>
  )
}
