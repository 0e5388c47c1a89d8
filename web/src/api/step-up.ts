/**
 * Step-up: some requests need a proof of the last minutes that it is the person. `withStepUp(run)` runs a request; if it
 * is refused for that, the dialog asks the person, and the request is sent again. `StepUpDialog` is the one that asks.
 */
import { isErrorCode } from '@namewright/client'
import { createStore } from '../store.ts'
import { CalledOff } from '../ui/called-off.ts'

interface Question {
  readonly answered: Promise<void>
  readonly goOn: () => void
  readonly giveUp: () => void
}

/** What is being asked, if anything. Requests that are refused at the same time wait for the same answer. */
export const stepUpQuestion = createStore<Question | undefined>(undefined)

export const isStepUpRequired = (error: unknown): boolean => isErrorCode(error, 'recent_sign_in_required')

export async function withStepUp<Done>(run: () => Promise<Done>): Promise<Done> {
  try {
    return await run()
  } catch (error) {
    if (!isStepUpRequired(error)) throw error
    await askPerson()
    return run()
  }
}

function askPerson(): Promise<void> {
  const asked = stepUpQuestion.get()
  if (asked) return asked.answered
  const { promise: answered, resolve, reject } = Promise.withResolvers<void>()
  const close = () => stepUpQuestion.change(() => undefined)
  stepUpQuestion.change(() => ({
    answered,
    goOn: () => {
      close()
      resolve()
    },
    giveUp: () => {
      close()
      reject(new CalledOff())
    },
  }))
  return answered
}
