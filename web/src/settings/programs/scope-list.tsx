/** What a key or an application may do, at a glance: everything, or the things it may. */
import type { Scope } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Badge } from '../../ui/layout.tsx'
import { mayDoAll, SCOPE_TEXTS } from './scopes.ts'

export function ScopeSummary({ scopes }: { readonly scopes: readonly Scope[] }) {
  const { t } = useText()
  return mayDoAll(scopes) ? (
    <Badge tone="accent">{t('scopes.full')}</Badge>
  ) : (
    <Badge tone="unknown">{t('scopes.restricted')}</Badge>
  )
}

export function ScopeList({ scopes }: { readonly scopes: readonly Scope[] }) {
  const { t } = useText()
  if (mayDoAll(scopes)) return <p>{t('scopes.everything')}</p>
  return (
    <ul className="flex flex-wrap gap-x-2 gap-y-1.5">
      {scopes.map((scope) => (
        <li key={scope} className="rounded-sm border border-line px-2 py-0.5 text-sm">
          {t(SCOPE_TEXTS[scope])}
        </li>
      ))}
    </ul>
  )
}
