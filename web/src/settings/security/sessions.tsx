/** Where somebody is signed in, in plain words, and the end of that. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endOtherSessions, endSession, sessionsQuery } from '../../api/sessions.ts'
import type { SignInSession } from '../../api/settings-types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Badge, Ltr, Section, Skeleton } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { browserOf, systemOf } from './browser-name.ts'

export function Sessions() {
  const { t } = useText()
  const format = useFormat()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(sessionsQuery)
  const settled = async (text: string) => {
    showToast({ text })
    await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    // The button that was pressed is gone with its session.
    document.querySelector<HTMLElement>('#sessions li')?.focus()
  }
  const end = useMutation({ mutationFn: endSession, onSuccess: () => settled(t('security.sessionEnded')) })
  const endOthers = useMutation({ mutationFn: endOtherSessions, onSuccess: () => settled(t('security.othersEnded')) })
  const failed = end.error ?? endOthers.error
  const nameOf = ({ browser }: SignInSession) => {
    const [name, system] = [browserOf(browser ?? ''), systemOf(browser ?? '')]
    if (name !== undefined && system !== undefined) return t('security.browserOn', { browser: name, system })
    return name ?? system ?? t('security.browserUnknown')
  }
  return (
    <Section
      id="sessions"
      title={t('security.sessions')}
      description={t('security.sessionsText')}
      actions={
        data &&
        data.length > 1 && (
          <Button kind="danger" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('security.endOthers')}
          </Button>
        )
      }
    >
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {failed && <Fault error={failed} />}
      {!data && !error && (
        <div aria-busy="true">
          <Skeleton className="h-18" />
        </div>
      )}
      {data && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-card">
          {data
            .toSorted((a, b) => Number(b.current) - Number(a.current))
            .map((session) => (
              <li
                key={session.id}
                tabIndex={-1}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
              >
                <div>
                  <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <span className="font-medium">{nameOf(session)}</span>
                    {session.current && <Badge tone="accent">{t('security.thisDevice')}</Badge>}
                  </p>
                  <p className="flex flex-wrap gap-x-3 text-sm text-faint">
                    {session.address !== null && <Ltr>{session.address}</Ltr>}
                    <span>{t('security.signedInAt', { when: format.dateTime(session.created_at) })}</span>
                    <span>{t('security.endsAt', { when: format.date(session.expires_at) })}</span>
                  </p>
                </div>
                {!session.current && (
                  <Button
                    small
                    kind="danger"
                    aria-label={t('security.endNamed', { name: nameOf(session) })}
                    busy={end.isPending && end.variables === session.id}
                    onClick={() => end.mutate(session.id)}
                  >
                    {t('security.endSession')}
                  </Button>
                )}
              </li>
            ))}
        </ul>
      )}
    </Section>
  )
}
