/** Holds a refusal against the one envelope: exact keys, the status of its code, the same request id in both places. */
import { expect } from 'vitest'
import { type ErrorCode, ERRORS } from './source.ts'
import type { Answer } from './world.ts'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly request_id: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly message: string }[]
  /** Absent where `errors` say what to do. */
  readonly hint?: string
  readonly docs: string
}

export function expectError(answer: Answer, status: number, code: ErrorCode): Refusal {
  const { json, text, headers } = answer
  expect({ status: answer.status, code: json?.error?.code }, text).toEqual({ status, code })
  expect(ERRORS[code].status).toBe(status)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys(json)).toEqual(['status', 'error'])
  expect(json.status).toBe('error')
  const error = json.error as Refusal
  const keys = ['code', 'docs', error.errors ? 'errors' : 'hint', 'message', 'request_id']
  expect(Object.keys(error).toSorted()).toEqual(keys)
  for (const field of error.errors ?? []) expect(Object.keys(field)).toEqual(['pointer', 'code', 'message'])
  expect(text, 'every placeholder is filled in').not.toMatch(/\{[a-z]+\}/)
  expect(error.docs).toMatch(new RegExp(`/docs/errors#${code}$`))
  expect(headers.get('x-request-id')).toBe(error.request_id)
  return error
}

/** `/count too_small`, in no order. */
export function fieldsOf({ errors = [] }: Refusal): string[] {
  return errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()
}
