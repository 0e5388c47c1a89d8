/** The way in without a password, where the browser has one: by a button, and among what it fills into the address field. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { canOfferPasskeys, canUsePasskeys, isCalledOff, signInWithPasskey } from './passkey.ts'

export function PasskeyWay({ onDone }: { readonly onDone: () => void }) {
  const { t } = useText()
  const offer = useRef<AbortController>(undefined)
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  useEffect(() => {
    const offered = new AbortController()
    offer.current = offered
    void (async () => {
      if (!(await canOfferPasskeys()) || offered.signal.aborted) return
      await signInWithPasskey(offered.signal, 'offered')
      done.current()
    })().catch(() => {
      // The person did not start it, so a failure shows no error; the button shows one.
    })
    return () => offered.abort()
  }, [])
  const ask = useMutation({
    mutationFn: async () => {
      // A browser shows one such prompt at a time.
      offer.current?.abort()
      await signInWithPasskey(new AbortController().signal, 'asked')
    },
    onSuccess: onDone,
  })
  if (!canUsePasskeys()) return null
  return (
    <>
      <Button icon="key" busy={ask.isPending} onClick={() => ask.mutate()}>
        {t('welcome.withPasskey')}
      </Button>
      {ask.error && !isCalledOff(ask.error) && <Fault error={ask.error} />}
    </>
  )
}
