/** While a secret of a key has been replaced and still works, its card says so and leads to its usage. */
import { useQuery } from '@tanstack/react-query'
import { retiringQuery } from '../../api/keys.ts'
import type { Key } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/layout.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

export function RetiringNote({ of, onOpen }: { readonly of: Key; readonly onOpen: () => void }) {
  const { t } = useText()
  const format = useFormat()
  const { id: account } = useCurrentAccount()
  const { data = [] } = useQuery(retiringQuery(account, of.id))
  const last = data.at(-1)
  if (!last) return null
  return (
    <Notice
      action={
        <Button small icon="eye" onClick={onOpen}>
          {t('keys.whoUsesOld')}
        </Button>
      }
    >
      {t('keys.oldStillWorks', { when: format.ago(last.expires_at) })}
    </Notice>
  )
}
