/** Keys that open nothing any more: kept in sight, because their names stand in the history and the use. */
import type { Key } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { useFormat } from '../../i18n/format.ts'
import { Ltr } from '../../ui/layout.tsx'
import { Table } from '../../ui/table.tsx'
import { Fold } from '../programs/fold.tsx'
import { KeyEnd } from './key-end.tsx'

export function EndedKeys({ keys }: { readonly keys: readonly Key[] }) {
  const { t } = useText()
  const format = useFormat()
  if (keys.length === 0) return null
  return (
    <Fold title={t('keys.revokedKeys', { count: keys.length })}>
      <Table
        caption={t('keys.revokedKeys', { count: keys.length })}
        head={[t('keys.name'), t('keys.made'), t('keys.lastUsed'), t('keys.ends')]}
      >
        {keys.map((key) => (
          <tr key={key.id}>
            <td>
              {key.name}
              <Ltr className="block font-mono text-sm text-faint">{key.prefix}</Ltr>
            </td>
            <td className="whitespace-nowrap">{format.date(key.created_at)}</td>
            <td className="whitespace-nowrap">
              {key.last_used_at === null ? t('keys.neverUsed') : format.date(key.last_used_at)}
            </td>
            <td>
              <KeyEnd of={key} />
            </td>
          </tr>
        ))}
      </Table>
    </Fold>
  )
}
