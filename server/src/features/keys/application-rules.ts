/**
 * Decides which applications may act for an account: all that are not blocked, or only the listed ones and the
 * account's own. The rules are checked in the transaction that authorizes an application. A rule change revokes what it
 * forbids.
 *
 * Both sides lock the account's row. An application is authorized either before the rule, and the rule change finds and
 * revokes it, or after, and is refused.
 */
import { accountOf, sql, type Acting, type Db, type Statement } from '../../platform/db/db.ts'
import { walk, type Exported } from '../../platform/db/walk.ts'
import type { AccountId } from '../../model/caller.ts'

export const APPLICATION_POLICIES = ['any', 'listed'] as const
export type ApplicationPolicy = (typeof APPLICATION_POLICIES)[number]

export const DECISIONS = ['allowed', 'blocked'] as const
export type ApplicationDecision = (typeof DECISIONS)[number]

export interface ApplicationRule {
  readonly client_id: string
  /** The application's name when the rule was created. */
  readonly name: string
  readonly decision: ApplicationDecision
  readonly created_at: Date
}

export interface ApplicationRules {
  readonly policy: ApplicationPolicy
  readonly rules: readonly ApplicationRule[]
}

/** More rules than a person would read. */
export const MAX_RULES = 200

const COLUMNS = 'client_id, name, decision, created_at'

export function openApplicationRules({ db, now }: { db: Db; now: () => number }) {
  return {
    async find(acting: Acting): Promise<ApplicationRules> {
      const account = accountOf(acting)
      const [policies, rules] = await db.as(acting, [
        sql<{ policy: ApplicationPolicy }>(
          'application_policy_find',
          'SELECT application_policy AS policy FROM account WHERE id = $1',
          [account],
        ),
        sql<ApplicationRule>(
          'application_rule_list',
          `SELECT ${COLUMNS} FROM application_rule WHERE account_id = $1 ORDER BY created_at, client_id`,
          [account],
        ),
      ])
      return { policy: policies.rows[0]?.policy ?? 'any', rules: rules.rows }
    },

    /** Commit together, in this order. */
    changingPolicy: (account: AccountId, policy: ApplicationPolicy): Statement[] => [
      lockForChange(account),
      sql('application_policy_change', 'UPDATE account SET application_policy = $2 WHERE id = $1', [account, policy]),
    ],

    /** Commit together, in this order. `null` removes the rule. */
    deciding(
      account: AccountId,
      client: { clientId: string; name: string },
      decision: ApplicationDecision | null,
    ): Statement[] {
      const { clientId, name } = client
      const change =
        decision === null
          ? sql('application_rule_remove', 'DELETE FROM application_rule WHERE account_id = $1 AND client_id = $2', [
              account,
              clientId,
            ])
          : sql(
              'application_rule_put',
              `INSERT INTO application_rule (account_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5)
               ON CONFLICT (account_id, client_id) DO UPDATE SET name = excluded.name, decision = excluded.decision`,
              [account, clientId, name, decision, new Date(now())],
            )
      return [lockForChange(account), change]
    },
  }
}

export function isAllowed({ policy, rules }: ApplicationRules, clientId: string, isOwn: boolean): boolean {
  const decision = rules.find((rule) => rule.client_id === clientId)?.decision
  return decision === 'allowed' || (decision === undefined && (policy === 'any' || isOwn))
}

function lockForChange(account: AccountId): Statement {
  return sql('application_rules_lock', 'SELECT id FROM account WHERE id = $1 FOR NO KEY UPDATE', [account])
}

/** Takes the lock before an application is authorized. */
export function holdRules(account: AccountId): Statement {
  return sql('application_rules_hold', 'SELECT id FROM account WHERE id = $1 FOR SHARE', [account])
}

/** Returns no row when the account's rules forbid this application. */
export function findPermission(account: AccountId, clientId: string, isOwn: boolean): Statement<{ id: string }> {
  return sql(
    'application_permission',
    `SELECT account.id FROM account
       LEFT JOIN application_rule rule ON rule.account_id = account.id AND rule.client_id = $2
     WHERE account.id = $1 AND CASE WHEN rule.decision IS NULL THEN account.application_policy = 'any' OR $3
                                    ELSE rule.decision = 'allowed' END`,
    [account, clientId, isOwn],
  )
}

export function forgetRules(account: AccountId): Statement[] {
  return [sql('application_rule_forget', 'DELETE FROM application_rule WHERE account_id = $1', [account])]
}

export function exportRules(db: Db, acting: Acting): Exported {
  const text = `SELECT ${COLUMNS} FROM application_rule WHERE account_id = $1 AND client_id > $2
    ORDER BY client_id LIMIT $3`
  return {
    application_rules: walk<ApplicationRule>(db, acting, (last, limit) =>
      sql('application_rule_export', text, [accountOf(acting), last?.client_id ?? '', limit]),
    ),
  }
}
