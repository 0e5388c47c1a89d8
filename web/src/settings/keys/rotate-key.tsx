/** A second secret for the same key; how long the first one lives on is the reader's choice. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery, rotateKey } from '../../api/keys.ts'
import type { Key, KeyWithSecret } from '../../api/settings-types.ts'
import { useText, type TextId } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

const GRACES = {
  '86400': ['keys.graceDay', 'keys.graceDayHint'],
  '604800': ['keys.graceWeek', undefined],
  '2592000': ['keys.graceMonth', undefined],
  '1800': ['keys.graceHalfHour', undefined],
  '0': ['keys.graceNone', 'keys.graceNoneHint'],
} as const satisfies Record<string, readonly [TextId, TextId | undefined]>
type Grace = keyof typeof GRACES

// The order of the list is by length, not by what an object of numbers makes of it.
const ORDER: readonly Grace[] = ['0', '1800', '86400', '604800', '2592000']

export function RotateKey({
  of,
  onClose,
  onRotated,
}: {
  readonly of: Key
  readonly onClose: () => void
  readonly onRotated: (made: KeyWithSecret, graceSeconds: number) => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const [grace, setGrace] = useState<Grace>('86400')
  const rotating = useMutation({
    mutationFn: () => rotateKey(account, of.id, Number(grace)),
    onSuccess: (made) => {
      onRotated(made, Number(grace))
      void queries.invalidateQueries({ queryKey: keysQuery(account).queryKey })
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('keys.rotateNamed', { name: of.name })} description={t('keys.rotateText')}>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          rotating.mutate()
        }}
      >
        <Choice
          label={t('keys.grace')}
          value={grace}
          options={ORDER.map((value) => {
            const [label, hint] = GRACES[value]
            return { value, label: t(label), ...(hint === undefined ? {} : { hint: t(hint) }) }
          })}
          onChange={setGrace}
        />
        {rotating.error && <Fault error={rotating.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={rotating.isPending}>
            {t('keys.rotateAct')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
