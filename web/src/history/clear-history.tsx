/** All of it at once: the word has to be typed, because nothing brings it back. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../api/client.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { faultText } from '../ui/fault.tsx'
import { showToast } from '../ui/toast.tsx'

export function ClearHistory() {
  const { t } = useText()
  const client = useClient()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const clearing = useMutation({
    mutationFn: async () => client?.history.clear(),
    onSuccess: async () => {
      await queries.resetQueries({ queryKey: ['history'] })
      setAsking(false)
      showToast({ text: t('history.cleared') })
    },
  })
  return (
    <>
      <Button kind="quiet" icon="trash" onClick={() => setAsking(true)}>
        {t('history.deleteAll')}
      </Button>
      <Confirm
        open={asking}
        title={t('history.deleteAllTitle')}
        description={t('history.deleteAllText')}
        act={t('history.deleteAllAct')}
        typed={t('history.deleteAllWord')}
        busy={clearing.isPending}
        wrong={clearing.isError ? faultText(clearing.error) : undefined}
        onConfirm={() => clearing.mutate()}
        onClose={() => {
          clearing.reset()
          setAsking(false)
        }}
      />
    </>
  )
}
