/** Asks for further names, which follow the votes of all. Whoever asks, everyone gets them. */
import { useMutation } from '@tanstack/react-query'
import { addNames } from '../api/shares.ts'
import type { Ballot } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { showToast } from '../ui/toast.tsx'
import { useVoter } from './voter.ts'

export function FurtherNames({ token, ballot: { share, mine } }: { readonly token: string; readonly ballot: Ballot }) {
  const { t } = useText()
  const voter = useVoter()
  const adding = useMutation({
    mutationFn: () => addNames(token, voter.id),
    onSuccess: ({ added }) => {
      if (added > 0) showToast({ text: t('room.added', { count: added }) })
    },
  })
  const { left, is_searching: isSearching } = share.further
  if (left === 0) return null
  const isBusy = isSearching || adding.isPending
  return (
    <div className="grid justify-items-center gap-2 text-center">
      <Button icon="plus" busy={isBusy} disabled={Object.keys(mine).length === 0} onClick={() => adding.mutate()}>
        {t(isBusy ? 'room.searching' : 'room.more')}
      </Button>
      <p className="text-faint">{t('room.moreText', { count: left })}</p>
      {adding.isError && <Fault error={adding.error} />}
    </div>
  )
}
