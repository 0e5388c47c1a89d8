/** Everything that the service writes into the log of an account has a sentence in the app. */
import { expect, test } from 'vitest'
import { SECURITY_ACTIONS } from '../../server/src/model/security-action.ts'
import { findAction } from '../src/settings/audit/actions.ts'

test('no action is shown by its word alone', () => {
  expect(SECURITY_ACTIONS.filter((action) => findAction(action) === undefined)).toEqual([])
})
