/** Where one can go in the settings: a column beside the page, or on a narrow screen a list that opens above it. */
import { Link, useRouterState } from '@tanstack/react-router'
import { useId } from 'react'
import { isAtLeast } from '../../api/session.ts'
import type { Role } from '../../api/settings-types.ts'
import { useText, type TextId } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { AccountSwitch } from './account-switch.tsx'
import { OF_THE_ACCOUNT, PAGES, YOURS, type SettingsPage } from './pages.ts'

const LINK =
  'flex min-h-11 items-center gap-3 rounded-md px-3 text-faint no-underline hover:bg-sunken hover:text-ink ' +
  'lg:min-h-10 aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink ' +
  // Where colours are the reader's own, a bar says where one is.
  'forced-colors:aria-[current=page]:border-s-4'

export function Navigation({ role }: { readonly role: Role }) {
  const { t } = useText()
  const path = useRouterState({ select: ({ location }) => location.pathname.replace(/\/$/, '') })
  const here = [...YOURS, ...OF_THE_ACCOUNT].find(({ to }) => to === path) ?? PAGES.keys
  return (
    <>
      <nav aria-label={t('settings.navigation')} className="max-lg:hidden">
        <Pages role={role} />
      </nav>
      <nav aria-label={t('settings.navigation')} className="mb-8 lg:hidden">
        <details className="group rounded-md border border-edge bg-card">
          <summary className="flex min-h-11 list-none items-center gap-3 px-3 font-medium [&::-webkit-details-marker]:hidden">
            <Icon name={here.icon} size={18} className="text-faint" />
            {t(here.text)}
            <Icon name="down" size={18} className="ms-auto transition-transform group-open:rotate-180" />
          </summary>
          <div className="border-t border-line p-2">
            <Pages role={role} />
          </div>
        </details>
      </nav>
    </>
  )
}

function Pages({ role }: { readonly role: Role }) {
  return (
    <div className="grid gap-6">
      <Group title="settings.you" pages={YOURS} />
      <Group title="settings.account" pages={OF_THE_ACCOUNT.filter(({ least = 'viewer' }) => isAtLeast(role, least))}>
        <AccountSwitch />
      </Group>
    </div>
  )
}

function Group({
  title,
  pages,
  children,
}: {
  readonly title: TextId
  readonly pages: readonly SettingsPage[]
  readonly children?: React.ReactNode
}) {
  const { t } = useText()
  const id = useId()
  return (
    <div>
      <p id={id} className="px-3 pb-1 text-sm font-medium text-faint">
        {t(title)}
      </p>
      {children}
      <ul aria-labelledby={id} className="grid gap-0.5">
        {pages.map((page) => (
          <Entry key={page.to} page={page} />
        ))}
      </ul>
    </div>
  )
}

function Entry({ page: { to, text, icon } }: { readonly page: SettingsPage }) {
  const { t } = useText()
  return (
    <li>
      <Link to={to} className={LINK} activeOptions={{ exact: true }}>
        <Icon name={icon} size={18} />
        {t(text)}
      </Link>
    </li>
  )
}
