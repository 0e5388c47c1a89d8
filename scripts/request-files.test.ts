import { expect, test } from 'vitest'
import { filesOfAll, findRequestFiles } from './request-files.ts'

/** These only fall. */
const CEILINGS: Readonly<Record<string, number>> = {
  history: 44,
  'favorite, stored before': 50,
  favorite: 61,
  'favorite with a key': 64,
  batch: 66,
  generate: 75,
  'generate, streamed': 81,
  'all of them': 38,
}

test('no request goes through more files than before', async () => {
  const files = await findRequestFiles(2)
  for (const [request, paths] of new Map([...files, ['all of them', filesOfAll(files)]]))
    expect(paths.length, `${request}: ${paths.join(' ')}`).toBeLessThanOrEqual(CEILINGS[request] ?? 0)
})
