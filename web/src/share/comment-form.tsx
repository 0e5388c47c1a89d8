/** A comment under a name of one's choice, about the whole list or one of its names. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ballotQuery, giveComment } from '../api/shares.ts'
import type { ShareItem } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { announce } from '../ui/announcer.tsx'
import { Button } from '../ui/button.tsx'
import { Fault, fieldFault } from '../ui/fault.tsx'
import { SelectField, TextArea, TextField } from '../ui/field.tsx'
import { keepVoter, useVoter } from './voter.ts'

const NAME_MAX = 60
const TEXT_MAX = 500

export function CommentForm({ token, items }: { readonly token: string; readonly items: readonly ShareItem[] }) {
  const { t } = useText()
  const queries = useQueryClient()
  const voter = useVoter()
  const [text, setText] = useState('')
  const [about, setAbout] = useState('')
  const [missing, setMissing] = useState(false)
  const sending = useMutation({
    mutationFn: () =>
      giveComment(token, voter.id, {
        name: voter.name.trim(),
        text: text.trim(),
        ...(about === '' ? {} : { item_id: about }),
      }),
    onSuccess: (ballot) => {
      queries.setQueryData(ballotQuery(token, voter.id).queryKey, ballot)
      setText('')
      announce(t('share.commented'))
    },
  })
  const isNameless = voter.name.trim() === ''
  const isEmpty = text.trim() === ''
  return (
    <form
      noValidate
      className="grid max-w-[40rem] gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(isNameless || isEmpty)
        if (!isNameless && !isEmpty) sending.mutate()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('share.commentName')}
          value={voter.name}
          maxLength={NAME_MAX}
          autoComplete="name"
          wrong={missing && isNameless ? t('share.nameMissing') : fieldFault(sending.error, '/name')}
          onChange={({ target }) => keepVoter({ name: target.value })}
        />
        <SelectField label={t('share.about')} value={about} onChange={({ target }) => setAbout(target.value)}>
          <option value="">{t('share.aboutAll')}</option>
          {items.map(({ id, name, domain }) => (
            <option key={id} value={id}>
              {t('share.aboutOne', { name, domain })}
            </option>
          ))}
        </SelectField>
      </div>
      <TextArea
        label={t('share.comment')}
        value={text}
        maxLength={TEXT_MAX}
        wrong={missing && isEmpty ? t('share.textMissing') : fieldFault(sending.error, '/text')}
        onChange={({ target }) => setText(target.value)}
      />
      {sending.isError && <Fault error={sending.error} />}
      <Button kind="plain" type="submit" busy={sending.isPending} className="justify-self-start">
        {t('share.send')}
      </Button>
    </form>
  )
}
