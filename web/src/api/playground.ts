/** A request of the playground: with the key that the reader pasted, and the response as it came. */

export interface ApiCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

export interface ApiResponse {
  readonly status: number
  readonly ms: number
  readonly text: string
}

/** Without the cookie: the key alone decides, as in a program. */
export async function callWithKey({ method, path, body }: ApiCall, key: string): Promise<ApiResponse> {
  const startedAt = performance.now()
  const answer = await fetch(path, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, ms: Math.round(performance.now() - startedAt), text: indented(text) }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
