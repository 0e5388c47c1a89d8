/** Exports all data about the person as one file. */
import { useMutation } from '@tanstack/react-query'
import { refusalOf, send } from '../../api/settings.ts'
import type { Refused } from '../../api/settings.ts'
import { withStepUp } from '../../api/step-up.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Section } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { download } from '../../ui/download.ts'

export function ExportData() {
  const { t } = useText()
  const take = useMutation({
    mutationFn: () => withStepUp(fetchExport),
    onSuccess: (text) => {
      const day = new Date().toISOString().slice(0, 10)
      download(text, { name: `namewright-${day}.json`, type: 'application/json' })
      showToast({ text: t('data.exported') })
    },
  })
  return (
    <Section title={t('data.export')} description={t('data.exportText')}>
      {take.error && <Fault error={take.error} />}
      <div>
        <Button icon="download" busy={take.isPending} onClick={() => take.mutate()}>
          {take.isPending ? t('data.exporting') : t('data.download')}
        </Button>
      </div>
    </Section>
  )
}

/** The answer is the file itself, without an envelope. */
async function fetchExport(): Promise<string> {
  const answer = await send('/settings/me/export', {})
  if (!answer.ok) throw refusalOf(answer, (await answer.json().catch(() => ({}))) as Refused)
  return answer.text()
}
