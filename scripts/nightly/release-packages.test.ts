/** The manifest of a published package, and the ones that must not be published. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publishedManifest } from '../release/packages.ts'

const manifest = {
  name: 'one',
  bin: { one: './src/main.ts' },
  dependencies: { two: '1.2.3' },
  devDependencies: { three: '1.0.0' },
  scripts: { prepack: 'node x.ts' },
}

test('programs are JavaScript, and what is for developers is left out', () => {
  expect(publishedManifest(manifest)).toEqual({
    name: 'one',
    bin: { one: './src/main.js' },
    dependencies: { two: '1.2.3' },
  })
})

test('a private package, and one that refers to the workspace or to a range, stops the release', () => {
  expect(() => publishedManifest({ ...manifest, private: true })).toThrow('private')
  for (const version of ['workspace:*', 'catalog:', '^1.2.3', 'latest']) {
    expect(() => publishedManifest({ ...manifest, dependencies: { two: version } })).toThrow('no exact version: two')
  }
})

test.for(['sdk', 'server'])('%s says where it is developed, under which licence, and is public', (folder) => {
  const text = readFileSync(new URL(`../../${folder}/package.json`, import.meta.url), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    license: 'Apache-2.0',
    homepage: 'https://github.com/namewright/namewright#readme',
    bugs: { url: 'https://github.com/namewright/namewright/issues' },
    repository: { type: 'git', url: 'git+https://github.com/namewright/namewright.git', directory: folder },
    publishConfig: { access: 'public' },
  })
  expect(JSON.parse(text)).not.toHaveProperty('private')
})
