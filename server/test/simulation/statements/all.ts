import type { Interpreted } from '../memory-db.ts'
import { quotaStatements } from './quota.ts'
import { requestStatements } from './requests.ts'
import { webhookStatements } from './webhooks.ts'

export const STATEMENTS: ReadonlyMap<string, Interpreted> = new Map(
  Object.entries({ ...quotaStatements, ...requestStatements, ...webhookStatements }),
)
