/**
 * Some acts want a sign-in of the last minutes, so that a browser that was left open gives nothing away. `again(run)` runs
 * the act; if it is refused for that, the person signs in right here and the act goes on by itself.
 *
 *     const { again, dialog } = useSignInAgain()
 *     useMutation({ mutationFn: () => again(deleteMe) })   …   {dialog}
 */
import { useQueryClient } from '@tanstack/react-query'
import { isErrorCode } from 'namewright'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { isRefusedFor } from '../../api/auth.ts'
import { useSession } from '../../api/session.ts'
import { sessionsQuery } from '../../api/sessions.ts'
import { useText } from '../../i18n/i18n.ts'
import { Rich } from '../../i18n/rich.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { SecondFactorForm } from '../../welcome/second-factor-form.tsx'
import { SignInForm } from '../../welcome/sign-in-form.tsx'

/** The person thought better of it: nothing happened, and nothing went wrong. */
export class CalledOff extends Error {}

interface Waiting {
  readonly goOn: () => void
  readonly giveUp: () => void
}

export function useSignInAgain(): {
  readonly again: <Done>(run: () => Promise<Done>) => Promise<Done>
  readonly dialog: ReactNode
} {
  const queries = useQueryClient()
  const waiting = useRef<Waiting>(undefined)
  const [isOpen, setOpen] = useState(false)

  async function again<Done>(run: () => Promise<Done>): Promise<Done> {
    try {
      return await run()
    } catch (error) {
      if (!isTooLongAgo(error)) throw error
      await new Promise<void>((resolve, reject) => {
        waiting.current = { goOn: resolve, giveUp: () => reject(new CalledOff()) }
        setOpen(true)
      })
      return run()
    }
  }

  const end = (how: keyof Waiting) => {
    setOpen(false)
    waiting.current?.[how]()
    waiting.current = undefined
    // The session before has ended with it.
    if (how === 'goOn') void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  return { again, dialog: isOpen && <SignInAgain onDone={() => end('goOn')} onClose={() => end('giveUp')} /> }
}

function isTooLongAgo(error: unknown): boolean {
  return isErrorCode(error, 'recent_sign_in_required') || isRefusedFor(error, 'SESSION_NOT_FRESH')
}

function SignInAgain({ onDone, onClose }: { readonly onDone: () => void; readonly onClose: () => void }) {
  const { t } = useText()
  const email = useSession().person?.email ?? ''
  const [isCode, setCode] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('security.againTitle')}
      description={
        <Rich
          id="security.againText"
          values={{ email }}
          parts={[
            <Ltr key="0" className="text-ink">
              {null}
            </Ltr>,
          ]}
        />
      }
    >
      {isCode ? (
        <SecondFactorForm onDone={onDone} onBack={() => setCode(false)} />
      ) : (
        <SignInForm email={email} onDone={onDone} onCode={() => setCode(true)} />
      )}
    </Dialog>
  )
}
