import { expect, test } from 'vitest'
import { filesOfAll, findRequestFiles } from './request-files.ts'

/** These only fall. */
const CEILINGS: Readonly<Record<string, number>> = {
  history: 24,
  'favorite, stored before': 27,
  favorite: 35,
  'favorite with a key': 38,
  batch: 44,
  generate: 53,
  'generate, streamed': 58,
  'all of them': 20,
}

test('no request goes through more files than before', async () => {
  const files = await findRequestFiles(2)
  for (const [request, paths] of new Map([...files, ['all of them', filesOfAll(files)]]))
    expect(paths.length, `${request}: ${paths.join(' ')}`).toBeLessThanOrEqual(CEILINGS[request] ?? 0)
})
