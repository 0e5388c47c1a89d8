/** The voter that `Namewright-Voter` identifies: a number of 128 bits that our page generates and keeps in the browser. */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

const VOTER = /^[\w-]{22}$/

/** The hash, which is all that is stored. Undefined if there is none, or if it has another form. */
export function findVoter({ headers }: Pick<FastifyRequest, 'headers'>): Buffer | undefined {
  const sent = headers['namewright-voter']
  return typeof sent === 'string' && VOTER.test(sent) ? hash('sha256', sent, 'buffer') : undefined
}

export function voterOf(request: Pick<FastifyRequest, 'headers'>): Buffer {
  const voter = findVoter(request)
  if (!voter) throw wrongField('/Namewright-Voter', '22 characters of base64url')
  return voter
}

export function wrongField(pointer: string, expected: string): ApiError {
  return new ApiError('invalid_request', { fields: [{ pointer, code: 'bad_format', params: { expected } }] })
}
