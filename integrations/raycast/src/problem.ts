/** An error as a person sees it: what happened, what to do, and the code to look up in the manual. */
export interface Problem {
  readonly title: string
  readonly description: string
}

type ErrorOfClient = Error & Readonly<Partial<Record<'code' | 'hint' | 'requestId' | 'errors', unknown>>>

/** Errors of the client have a code and a hint if they come from the service, and neither if there was no response. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof Error)) return { title: 'Something unexpected happened', description: String(error) }
  const { code, hint, requestId, errors } = error as ErrorOfClient
  const fields = Array.isArray(errors) ? errors.map((one: { message?: unknown }) => textOf(one.message)) : []
  const isOfService = typeof code === 'string' && error.name === 'NamewrightError'
  const lines = isOfService
    ? [textOf(hint), ...fields, `Code: ${code}`, textOf(requestId) && `Request: ${textOf(requestId)}`]
    : ['Check the Base URL in the preferences of this extension, and that the service runs.']
  return { title: error.message, description: lines.filter((line) => line !== '').join('\n') }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
