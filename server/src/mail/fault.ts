/**
 * What may be said of a letter that did not go: codes, and nothing in words. The words of nodemailer's errors are the
 * mail server's, and servers quote the recipient.
 */
import type { NodemailerError } from 'nodemailer'

export interface Fault {
  /** Nodemailer's code, and below it the system's or OpenSSL's: ESOCKET, ECONNREFUSED. */
  readonly code: string
  readonly cause?: string | undefined
  /** What the server answered: 451, 550. */
  readonly status?: number | undefined
  /** The command that it answered so: RCPT TO. */
  readonly step?: string | undefined
  /** The server would say the same to the same letter again. */
  readonly isFinal: boolean
}

/** Of an error that is nodemailer's, or a mistake of ours. */
export function faultOf(error: unknown): Fault {
  const { name, code = name, originalCode, responseCode, command, permanent } = error as NodemailerError
  return { code, cause: originalCode, status: responseCode, step: command, isFinal: permanent === true }
}
