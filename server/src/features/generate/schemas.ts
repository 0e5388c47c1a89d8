/** The events of POST /v1/generate. */
import { Type } from 'typebox'
import { ERROR, event, HEARTBEAT, index } from '../../http/stream/schemas.ts'
import { closed, DomainEntry, GenerateAnswer, Handles, Suggestion } from '../../http/wire/schemas.ts'

const Name = Type.String()

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
