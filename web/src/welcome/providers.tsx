/** The operator's own providers of identities, one button each. */
import { useMutation } from '@tanstack/react-query'
import { askAuth } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'

export function Providers({ names, to }: { readonly names: readonly string[]; readonly to: string }) {
  const { t } = useText()
  const go = useMutation({
    mutationFn: async (provider: string) => {
      const { url } = await askAuth<{ url: string }>('/sign-in/social', {
        provider,
        callbackURL: `${location.origin}${to}`,
        errorCallbackURL: `${location.origin}/welcome?failed=${encodeURIComponent(provider)}`,
        disableRedirect: true,
      })
      location.assign(url)
    },
  })
  return (
    <div className="grid gap-3">
      {names.map((name) => (
        <Button key={name} busy={go.isPending} onClick={() => go.mutate(name)}>
          {t('welcome.withProvider', { provider: titleOf(name) })}
        </Button>
      ))}
      {go.error && <Fault error={go.error} />}
    </div>
  )
}

/** The operator names a provider in lower case, for addresses. */
export function titleOf(provider: string): string {
  return provider === 'github' ? 'GitHub' : `${provider.slice(0, 1).toUpperCase()}${provider.slice(1)}`
}
