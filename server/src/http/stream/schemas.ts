/** Schemas of the events of each stream, for the OpenAPI document. */
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { closed, DomainEntry, ErrorAnswer, GenerateAnswer, Handles, Suggestion } from '../wire/schemas.ts'
import { CheckAnswer, CheckedDomain } from '../../features/check/domain-schemas.ts'
import { NamesAnswer } from '../../features/check/name-schemas.ts'

const Name = Type.String()
const id = Type.String({ description: 'The part before the dot is the same for all events of one response.' })

const event = <T extends TSchema>(name: string, data: T) => Type.Object({ event: Type.Literal(name), id, data }, closed)

const HEARTBEAT = Type.Object({ event: Type.Literal('heartbeat') }, closed)
const ERROR = Type.Object({ event: Type.Literal('error'), data: ErrorAnswer }, closed)
const index = (about: string) => Type.Integer({ minimum: 0, description: about })

export const GenerateEvent = Type.Union(
  [
    event('suggestion', Suggestion),
    event('domain', Type.Object({ name: Name, index: index('Index in `domains`.'), domain: DomainEntry }, closed)),
    event('handles', Type.Object({ name: Name, handles: Handles }, closed)),
    event('withdrawn', Type.Object({ name: Name }, closed)),
    event('done', GenerateAnswer),
    ERROR,
    HEARTBEAT,
  ],
  { $id: 'GenerateEvent', description: 'One event per line.' },
)

export const CheckEvent = Type.Union(
  [
    event('domain', Type.Object({ index: index('Index in the request.'), domain: CheckedDomain }, closed)),
    event('done', CheckAnswer),
    ERROR,
    HEARTBEAT,
  ],
  { $id: 'CheckEvent', description: 'One event per line.' },
)

export const NamesEvent = Type.Union(
  [
    event(
      'domain',
      Type.Object(
        {
          index: index('All domains of the first name come first, in the order of the suffixes.'),
          domain: CheckedDomain,
        },
        closed,
      ),
    ),
    event('done', NamesAnswer),
    ERROR,
    HEARTBEAT,
  ],
  { $id: 'NamesEvent', description: 'One event per line.' },
)
