/** The whole log as a file, for a spreadsheet or for another system. */
import { useMutation } from '@tanstack/react-query'
import { fetchAuditLog } from '../../api/audit.ts'
import type { AuditFormat } from '../../api/audit.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { Fault } from '../../ui/fault.tsx'
import { showToast } from '../../ui/toast.tsx'

const TYPES: Readonly<Record<AuditFormat, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export function DownloadLog({ account }: { readonly account: string }) {
  const { t } = useText()
  const fetching = useMutation({
    mutationFn: async (format: AuditFormat) => ({ format, text: await fetchAuditLog(account, format) }),
    onSuccess: ({ format, text }) => {
      const day = new Date().toISOString().slice(0, 10)
      download(text, { name: `namewright-audit-log-${day}.${format}`, type: TYPES[format] })
      showToast({ text: t('audit.downloaded') })
    },
  })
  return (
    <div className="grid gap-3">
      {fetching.error && <Fault error={fetching.error} />}
      <div className="flex flex-wrap gap-2">
        <Button small icon="download" busy={fetching.isPending} onClick={() => fetching.mutate('csv')}>
          {t('audit.download')}
        </Button>
        <Button small icon="download" busy={fetching.isPending} onClick={() => fetching.mutate('ndjson')}>
          {t('audit.downloadLines')}
        </Button>
      </div>
    </div>
  )
}
