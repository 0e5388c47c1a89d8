/**
 * The loggable facts of an email that failed: codes only, no text. Nodemailer's messages contain the mail server's
 * text, and servers quote the recipient.
 */
import type { NodemailerError } from 'nodemailer'

export interface MailFault {
  /** Nodemailer's code, or the underlying code of the system or OpenSSL: ESOCKET, ECONNREFUSED. */
  readonly code: string
  readonly cause?: string | undefined
  /** The status code of the server: 451, 550. */
  readonly status?: number | undefined
  /** The SMTP command that failed: RCPT TO. */
  readonly step?: string | undefined
  /** A retry of the same email would fail the same way. */
  readonly isFinal: boolean
}

/** Accepts an error of nodemailer or of our own code. */
export function faultOf(error: unknown): MailFault {
  const { name, code = name, originalCode, responseCode, command, permanent } = error as NodemailerError
  return { code, cause: originalCode, status: responseCode, step: command, isFinal: permanent === true }
}
