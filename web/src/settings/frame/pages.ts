/** The pages of the settings, in the order in which they are offered, and who may see them. */
import type { Role } from '../../api/settings-types.ts'
import type { TextId } from '../../i18n/i18n.ts'
import type { IconName } from '../../ui/icon.tsx'

export interface SettingsPage {
  readonly to:
    | '/settings/profile'
    | '/settings/appearance'
    | '/settings/security'
    | '/settings/data'
    | '/settings/keys'
    | '/settings/usage'
    | '/settings/apps'
    | '/settings/webhooks'
    | '/settings/team'
    | '/settings/audit'
  readonly text: TextId
  readonly icon: IconName
  /** Viewers and up, unless it says otherwise. */
  readonly least?: Role
}

export const PAGES = {
  profile: { to: '/settings/profile', text: 'settings.profile', icon: 'person' },
  appearance: { to: '/settings/appearance', text: 'settings.appearance', icon: 'sun' },
  security: { to: '/settings/security', text: 'settings.security', icon: 'shield' },
  data: { to: '/settings/data', text: 'settings.data', icon: 'download' },
  keys: { to: '/settings/keys', text: 'settings.keys', icon: 'key' },
  usage: { to: '/settings/usage', text: 'settings.usage', icon: 'gauge' },
  apps: { to: '/settings/apps', text: 'settings.apps', icon: 'plug' },
  webhooks: { to: '/settings/webhooks', text: 'settings.webhooks', icon: 'hook', least: 'admin' },
  team: { to: '/settings/team', text: 'settings.team', icon: 'people' },
  audit: { to: '/settings/audit', text: 'settings.audit', icon: 'clock', least: 'admin' },
} as const satisfies Record<string, SettingsPage>

export const YOURS: readonly SettingsPage[] = [PAGES.profile, PAGES.appearance, PAGES.security, PAGES.data]

export const OF_THE_ACCOUNT: readonly SettingsPage[] = [
  PAGES.keys,
  PAGES.usage,
  PAGES.apps,
  PAGES.webhooks,
  PAGES.team,
  PAGES.audit,
]
