/** Everything that is held about somebody, as one file. */
import { useMutation } from '@tanstack/react-query'
import { refusalOf, send } from '../../api/settings.ts'
import type { Refused } from '../../api/settings.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Section } from '../../ui/layout.tsx'
import { tell } from '../../ui/toast.tsx'
import { download } from '../../ui/download.ts'
import { CalledOff, useSignInAgain } from '../security/sign-in-again.tsx'

export function TakeAlong() {
  const { t } = useText()
  const { again, dialog } = useSignInAgain()
  const take = useMutation({
    mutationFn: () => again(fetchExport),
    onSuccess: (text) => {
      const day = new Date().toISOString().slice(0, 10)
      download(text, { name: `namewright-${day}.json`, type: 'application/json' })
      tell({ text: t('data.exported') })
    },
  })
  return (
    <Section title={t('data.export')} description={t('data.exportText')}>
      {take.error && !(take.error instanceof CalledOff) && <Fault error={take.error} />}
      <div>
        <Button icon="download" busy={take.isPending} onClick={() => take.mutate()}>
          {take.isPending ? t('data.exporting') : t('data.download')}
        </Button>
      </div>
      {dialog}
    </Section>
  )
}

/** The answer is the file itself, without an envelope. */
async function fetchExport(): Promise<string> {
  const answer = await send('/settings/me/export', {})
  if (!answer.ok) throw refusalOf(answer, (await answer.json().catch(() => ({}))) as Refused)
  return answer.text()
}
