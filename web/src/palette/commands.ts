/** What the command palette offers to this person: pages, actions, recent searches. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useClient } from '../api/client.ts'
import { isAtLeast, useAccount, useSession } from '../api/session.ts'
import { againOf } from '../history/again.ts'
import { useText } from '../i18n/i18n.ts'
import { setPreferences, usePreferences } from '../preferences.ts'
import { DESCRIPTION_MAX } from '../search/asked.ts'
import { OF_THE_ACCOUNT, PAGES, YOURS } from '../settings/frame/pages.ts'
import { useRecentSearches } from '../search/before/recent-store.ts'
import { useSignOut } from '../shell/use-sign-out.ts'
import { openShortcutHelp } from '../shortcuts/opened.ts'
import type { IconName } from '../ui/icon.tsx'

export interface Command {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly run: () => void
}

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
}

const RECENT = 5

/** Those that fit what was typed; every one when nothing was. Groups without one are left out. */
export function useCommands(typed: string): readonly CommandGroup[] {
  const { t } = useText()
  const navigate = useNavigate()
  const pages = usePages()
  const actions = useActions()
  const recent = useRecent()
  const wanted = typed.trim()
  const find: Command = {
    id: 'find',
    label: t('palette.find', { text: wanted }),
    icon: 'search',
    run: () => void navigate({ to: '/', search: { d: wanted.slice(0, DESCRIPTION_MAX) } }),
  }
  const groups: CommandGroup[] = [
    { title: t('palette.pages'), commands: pages },
    { title: t('palette.actions'), commands: actions },
    { title: t('search.recent'), commands: recent },
  ].map(({ title, commands }) => ({ title, commands: commands.filter(({ label }) => fits(label, wanted)) }))
  // Last, so that Enter after the name of a page opens that page.
  if (/\p{L}/u.test(wanted)) groups.push({ title: t('shell.search'), commands: [find] })
  return groups.filter(({ commands }) => commands.length > 0)
}

/** Each word that was typed begins a word of the label, whatever its case and accents. */
function fits(label: string, typed: string): boolean {
  const words = folded(label).split(/[^\p{L}\p{N}]+/u)
  const text = folded(label)
  return folded(typed)
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)) || (/[^\p{ASCII}]/u.test(part) && text.includes(part)))
}

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
}

function usePages(): readonly Command[] {
  const { t } = useText()
  const navigate = useNavigate()
  const { person } = useSession()
  const account = useAccount()
  const settings = person
    ? [PAGES.overview, ...YOURS, ...OF_THE_ACCOUNT].filter(
        (page) => !('least' in page) || isAtLeast(account?.role, page.least ?? 'viewer'),
      )
    : []
  const document = (path: string, label: string): Command => ({
    id: path,
    label,
    icon: 'info',
    run: () => location.assign(path),
  })
  return [
    { id: '/', label: t('shell.search'), icon: 'search', run: () => void navigate({ to: '/', search: {} }) },
    { id: '/history', label: t('shell.history'), icon: 'clock', run: () => void navigate({ to: '/history' }) },
    { id: '/favorites', label: t('shell.favorites'), icon: 'heart', run: () => void navigate({ to: '/favorites' }) },
    ...settings.map(({ to, text, icon }) => ({
      id: to,
      label: to === '/settings' ? t('shell.settings') : t(text),
      icon,
      run: () => void navigate({ to }),
    })),
    ...(person?.is_operator
      ? [
          {
            id: '/operator',
            label: t('shell.operator'),
            icon: 'gauge' as const,
            run: () => void navigate({ to: '/operator' }),
          },
        ]
      : []),
    document('/docs', t('shell.help')),
    document('/docs/reference', t('shell.api')),
    { id: '/about-names', label: t('shell.privacy'), icon: 'info', run: () => void navigate({ to: '/about-names' }) },
  ]
}

function useActions(): readonly Command[] {
  const { t } = useText()
  const navigate = useNavigate()
  const { person } = useSession()
  const { theme } = usePreferences()
  const signOut = useSignOut()
  const themes = (
    [
      ['light', 'sun', 'palette.light'],
      ['dark', 'moon', 'palette.dark'],
      ['system', 'gear', 'palette.system'],
    ] as const
  )
    .filter(([value]) => value !== theme)
    .map(([value, icon, text]) => ({ id: value, label: t(text), icon, run: () => setPreferences({ theme: value }) }))
  return [
    ...themes,
    { id: 'shortcuts', label: t('shortcuts.keyboard'), icon: 'info', run: openShortcutHelp },
    person
      ? { id: 'sign-out', label: t('shell.signOut'), icon: 'external', run: () => void signOut() }
      : { id: 'sign-in', label: t('shell.signIn'), icon: 'person', run: () => void navigate({ to: '/welcome' }) },
  ]
}

/** The last searches: of the account, or of this browser where nobody is signed in. */
function useRecent(): readonly Command[] {
  const navigate = useNavigate()
  const client = useClient()
  const account = useAccount()
  const here = useRecentSearches()
  const { data } = useQuery({
    queryKey: ['history', account?.id, 'recent'],
    queryFn: ({ signal }) => client?.history.page({ limit: RECENT }, { signal }),
    enabled: client !== undefined && account !== undefined,
    retry: false,
  })
  const searches = account
    ? (data?.items ?? []).map((record) => ({ id: record.id, search: againOf(record), label: record.description }))
    : here.map((search) => ({ id: search.d, search, label: search.d }))
  return searches.map(({ id, search, label }) => ({
    id,
    label,
    icon: 'clock',
    run: () => void navigate({ to: '/', search }),
  }))
}
