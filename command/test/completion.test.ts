/** The completion scripts in real shells: what they offer for a partial command line. */
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { openFolder, runCli } from './harness.ts'

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await runCli(['completion', shell])
  expect(code).toBe(0)
  return stdout
}

describe('in bash', () => {
  /** The completions of bash for these words, the last of which is incomplete. */
  async function offers(...words: readonly string[]): Promise<string[]> {
    using folder = openFolder()
    writeFileSync(`${folder.path}/completion`, await scriptFor('bash'))
    const typed = words.map((word) => `'${word}'`).join(' ')
    const script = `set -eu; source ${folder.path}/completion; complete -p namewright >/dev/null
      COMP_WORDS=(namewright ${typed}); COMP_CWORD=${words.length}; _namewright; printf '%s\\n' "\${COMPREPLY[@]-}"`
    return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
  }

  test('commands and subcommands', async () => {
    expect(await offers('')).toEqual(expect.arrayContaining(['suggest', 'check', 'batch', 'version', '--help']))
    expect(await offers('su')).toEqual(['suggest'])
    expect(await offers('favorites', '')).toEqual(['list', 'add', 'remove', 'changes', 'watch', 'unwatch'])
    expect(await offers('favorites', 'un')).toEqual(['unwatch'])
    expect(await offers('completion', 'z')).toEqual(['zsh'])
  })

  test('options, also of subcommands, and after an option', async () => {
    expect(await offers('suggest', '--max')).toEqual(['--max-length', '--max-price', '--max-price-5y'])
    expect(await offers('--json', 'check', '--for')).toEqual(['--for-sale'])
    expect(await offers('batch', 'run', '--re')).toEqual(['--restart'])
    expect(await offers('batch', 'run', 'file.csv', '--ou')).toEqual(['--out'])
  })

  test('values of a closed list, and nothing for free text', async () => {
    expect(await offers('suggest', 'x', '--style', 'com')).toEqual(['compound'])
    expect(await offers('check', '--color', '')).toEqual(['auto', 'always', 'never'])
    expect(await offers('check', '--color', '=', 'al')).toEqual(['always'])
    expect(await offers('suggest', '--count', '')).toEqual([])
  })

  test('files are left to the shell', async () => {
    expect(await offers('batch', 'run', '')).toEqual([])
    expect(await offers('batch', 'run', 'x.csv', '--out', '')).toEqual([])
  })

  test('every command and every option is in it', async () => {
    for (const { name, options } of COMMANDS) {
      const offered = await offers(...name.split(' '), '--')
      expect(offered, name).toEqual(expect.arrayContaining(options.map((option) => `--${option.name}`)))
    }
  }, 60_000)
})

test.skipIf(!existsSync('/usr/bin/zsh'))('zsh loads its script and registers it', async () => {
  using folder = openFolder()
  writeFileSync(`${folder.path}/_namewright`, await scriptFor('zsh'))
  const script = `autoload -Uz compinit; compinit -u -D; source ${folder.path}/_namewright; print $_comps[namewright]; zsh -n ${folder.path}/_namewright`
  const output = execFileSync('zsh', ['-f', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder.path },
  })
  expect(output).toBe('_namewright\n')
})

test.skipIf(!existsSync('/usr/bin/fish'))('fish offers commands, words and options', async () => {
  using folder = openFolder()
  writeFileSync(`${folder.path}/namewright.fish`, await scriptFor('fish'))
  const offers = (line: string) =>
    execFileSync('fish', ['-N', '-c', `source ${folder.path}/namewright.fish; complete -C '${line}'`], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder.path },
    })
      .split('\n')
      .map((offer) => offer.split('\t')[0])
      .filter((offer) => offer !== '')
  expect(offers('namewright su')).toEqual(['suggest'])
  expect(offers('namewright favorites un')).toEqual(['unwatch'])
  expect(offers('namewright suggest --max-p')).toEqual(['--max-price', '--max-price-5y'])
  expect(offers('namewright check --color al')).toEqual(['always'])
})
