/** The schema of the events of a stream, for the OpenAPI document. */
import { Type, type TSchema } from 'typebox'
import { closed, ErrorAnswer } from '../wire/schemas.ts'

const id = Type.String({ description: 'The part before the dot is the same for all events of one response.' })

export const event = <T extends TSchema>(name: string, data: T) =>
  Type.Object({ event: Type.Literal(name), id, data }, closed)

export const HEARTBEAT = Type.Object({ event: Type.Literal('heartbeat') }, closed)
export const ERROR = Type.Object({ event: Type.Literal('error'), data: ErrorAnswer }, closed)

export const index = (about: string) => Type.Integer({ minimum: 0, description: about })
