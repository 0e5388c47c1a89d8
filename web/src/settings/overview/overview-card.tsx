/** One thing that matters now, with the way to where it is dealt with. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../../i18n/i18n.ts'
import type { TextId } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Card, Skeleton } from '../../ui/layout.tsx'
import type { SettingsPage } from '../frame/pages.ts'

export function OverviewCard({
  page: { to, icon, text },
  go,
  isWaiting = false,
  children,
}: {
  readonly page: SettingsPage
  readonly go: TextId
  readonly isWaiting?: boolean
  readonly children?: ReactNode
}) {
  const { t } = useText()
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="flex items-center gap-2.5 text-lg font-semibold">
        <Icon name={icon} className="text-faint" />
        {t(text)}
      </h2>
      <div aria-busy={isWaiting} className="grid grow content-start gap-2">
        {isWaiting ? <Skeleton className="h-12" /> : children}
      </div>
      <Link
        to={to}
        className="inline-flex min-h-9 items-center gap-1 self-start font-medium text-accent underline-offset-4 hover:underline"
      >
        {t(go)}
        <Icon name="forward" size={16} className="rtl:-scale-x-100" />
      </Link>
    </Card>
  )
}
