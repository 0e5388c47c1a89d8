/** The files that commands share: whose they may be, and that no writer loses what another wrote. */
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCacheFolder, openCacheFolder } from './cache-file.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'namewright-cache-'))
})
afterAll(() => rm(root, { recursive: true }))

const newPath = () => join(root, crypto.randomUUID())
const write = async (path: string, name = 'x.json', content = 'new') => {
  const refused: string[] = []
  const file = openCacheFolder({ path, onRefused: (sentence) => refused.push(sentence) }).open(name, 100)
  return { outcome: await file.update(() => content), read: file.read()?.toString(), refused }
}

test('the folder is where the system keeps caches, or where the user wants it', () => {
  const at = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    findCacheFolder({ platform, env, home: '/home/me' })
  expect(at('linux')).toBe('/home/me/.cache/namewright')
  expect(at('linux', { XDG_CACHE_HOME: '/var/mine' })).toBe('/var/mine/namewright')
  expect(at('linux', { XDG_CACHE_HOME: 'relative' })).toBe('/home/me/.cache/namewright')
  expect(at('darwin')).toBe('/home/me/Library/Caches/namewright')
  expect(at('win32', { LOCALAPPDATA: '/local' })).toBe('/local/namewright/cache')
  expect(at('darwin', { NAMEWRIGHT_CACHE_DIR: '/else', XDG_CACHE_HOME: '/var/mine' })).toBe('/else')
})

test('only its owner may read the folder and the files, and nothing else stays in it', async () => {
  const path = newPath()
  expect(await write(path)).toEqual({ outcome: 'done', read: 'new', refused: [] })
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  expect((await stat(join(path, 'x.json'))).mode & 0o777).toBe(0o600)
  expect(await readdir(path)).toEqual(['x.json'])
})

test('a folder that others may write to, a link and a file in its place are refused with one sentence', async () => {
  const [open, link, file, inFile] = [newPath(), newPath(), newPath(), newPath()]
  await mkdir(open)
  await chmod(open, 0o777)
  await mkdir(`${link}-target`)
  await symlink(`${link}-target`, link)
  await writeFile(file, '')
  await writeFile(inFile, '')
  for (const [path, why] of [
    [open, 'others may write to'],
    [link, 'is not a folder'],
    [file, 'is not a folder'],
    [join(inFile, 'below'), 'cannot be made (ENOTDIR)'],
  ] as const) {
    const { outcome, read, refused } = await write(path)
    expect({ outcome, read }, path).toEqual({ outcome: 'failed', read: undefined })
    expect(refused).toEqual([expect.stringContaining(why)])
    expect(refused[0]).toContain('NAMEWRIGHT_CACHE_DIR')
  }
  expect(await readdir(`${link}-target`)).toEqual([])
})

test('a link in place of the file is neither read nor written through', async () => {
  const [path, secret] = [newPath(), newPath()]
  await write(path, 'other.json')
  await writeFile(secret, 'a secret')
  await symlink(secret, join(path, 'x.json'))
  const { outcome, read, refused } = await write(path)
  expect({ outcome, read }).toEqual({ outcome: 'failed', read: undefined })
  expect(refused).toEqual([expect.stringContaining('is a link')])
  expect(await readFile(secret, 'utf8')).toBe('a secret')
})

test.runIf(process.getuid?.() === 0)('a file of somebody else is refused', async () => {
  const path = newPath()
  await write(path)
  const { chown } = await import('node:fs/promises')
  await chown(join(path, 'x.json'), 65_534, 65_534)
  const { outcome, refused } = await write(path)
  expect({ outcome, refused }).toEqual({ outcome: 'failed', refused: [expect.stringContaining('somebody else')] })
})

test('a file that is too large is as good as none, and is replaced', async () => {
  const path = newPath()
  await write(path)
  await writeFile(join(path, 'x.json'), 'x'.repeat(101))
  const file = openCacheFolder({ path, onRefused: () => {} }).open('x.json', 100)
  expect(file.read()).toBeUndefined()
  expect(await file.update((content) => (content === undefined ? 'small' : undefined))).toBe('done')
  expect(file.read()?.toString()).toBe('small')
})

test('a lock of a process that is gone, or an old one, is broken; one that is held is waited for in vain', async () => {
  const path = newPath()
  await write(path)
  const lock = join(path, 'x.json.lock')
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((ended) => child.on('close', ended))
  await writeFile(lock, `${child.pid} ${hostname()} a`)
  expect(await write(path, 'x.json', 'second')).toMatchObject({ outcome: 'done', read: 'second' })

  await writeFile(lock, `${process.ppid} ${hostname()} b`)
  expect(await write(path, 'x.json', 'third')).toMatchObject({ outcome: 'busy', read: 'second' })
  const minuteAgo = new Date(Date.now() - 60_000)
  await utimes(lock, minuteAgo, minuteAgo)
  expect(await write(path, 'x.json', 'fourth')).toMatchObject({ outcome: 'done', read: 'fourth' })
  expect(await readdir(path)).toEqual(['x.json'])
})

test('five processes that add to one file at once lose nothing', async () => {
  const path = newPath()
  const module = new URL('cache-file.ts', import.meta.url).href
  const script = `
    const { openCacheFolder } = await import(${JSON.stringify(module)})
    const file = openCacheFolder({ path: ${JSON.stringify(path)}, onRefused: console.error }).open('count', 100)
    let done = 0
    while (done < 40) if ((await file.update((content) => String(Number(content ?? 0) + 1))) === 'done') done += 1
  `
  const ends = await Promise.all(
    Array.from({ length: 5 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
      return new Promise((ended) => child.on('close', ended))
    }),
  )
  expect(ends).toEqual([0, 0, 0, 0, 0])
  expect(await readFile(join(path, 'count'), 'utf8')).toBe('200')
})
