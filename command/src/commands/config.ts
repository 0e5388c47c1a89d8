/** `namewright config`: the settings file. A key is never accepted on the command line, and never shown. */
import { readSecret } from '../secret.ts'
import { openConfig, serviceOf, withService } from '../config.ts'
import type { Config } from '../config.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { didYouMean } from '../nearest.ts'
import { formatOf, showAll } from '../output.ts'
import { NO_SECRETS } from '../parse.ts'
import { findAddress, parseUrl } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { maskOf } from './keys.ts'

const PLAIN = ['url', 'tlds', 'language', 'currency', 'count'] as const
type Plain = (typeof PLAIN)[number]
const NAMES = [...PLAIN, 'key'] as const

export async function list(invocation: Invocation): Promise<number> {
  const { options, streams, paint, env, say } = invocation
  const file = openConfig(env)
  const config = await file.read()
  const address = findAddress(invocation, config)
  const service = serviceOf(config, address.url)
  const rows = [
    { name: 'url', value: address.url, from: address.from },
    ...(env['NAMEWRIGHT_API_KEY']
      ? [{ name: 'key', value: maskOf(env['NAMEWRIGHT_API_KEY']), from: 'NAMEWRIGHT_API_KEY' }]
      : []),
    ...(service.key === undefined ? [] : [{ name: 'key', value: maskOf(service.key), from: 'config' }]),
    ...Object.entries(service.logins ?? {}).map(([audience, login]) => ({
      name: audience === 'v1' ? 'sign-in' : 'sign-in for mcp',
      value: login?.scope ?? '',
      from: 'config',
    })),
    ...PLAIN.filter((name) => name !== 'url').flatMap((name) => {
      const value = config[name]
      return value === undefined ? [] : [{ name, value, from: 'config' }]
    }),
  ]
  await showAll(rows, {
    format: formatOf(options, streams.stdout),
    output: streams.stdout,
    paint,
    columns: [
      { name: 'name', value: (row) => row.name, heading: { title: 'name' } },
      { name: 'value', value: (row) => row.value, heading: { title: 'value', shrinks: true } },
      { name: 'from', value: (row) => row.from, heading: { title: 'from' } },
    ],
  })
  if (streams.stdout.isTTY === true) say(`Stored in ${file.path}`)
  return EXIT.found
}

export async function get(invocation: Invocation): Promise<number> {
  const { streams, env } = invocation
  const name = nameOf(invocation, 1)
  const config = await openConfig(env).read()
  if (name === 'key') throw usageError('API keys are not shown. “namewright keys” shows which key is in use.')
  const value = name === 'url' ? findAddress(invocation, config).url : config[name]
  if (value === undefined) throw new CliError(EXIT.none, `${name} is not set.`)
  streams.stdout.write(`${value}\n`)
  return EXIT.found
}

export async function set(invocation: Invocation): Promise<number> {
  const { words, env, say } = invocation
  const file = openConfig(env)
  const name = nameOf(invocation, words[0] === 'key' ? words.length : 2)
  if (name === 'key') {
    if (words.length > 1)
      throw usageError(
        `Do not pass a key on the command line. ${NO_SECRETS}`,
        'Run “namewright config set key” and paste the key, or pipe it to standard input.',
      )
    const key = await readSecret(invocation, 'API key: ')
    const { url } = findAddress(invocation, await file.read())
    await file.change((config) => withService(config, url, { ...serviceOf(config, url), key }))
    say(`Stored for ${url} in ${file.path}`)
    return EXIT.found
  }
  const value = checkedValue(name, words[1] ?? '')
  await file.change((config) => ({ ...config, [name]: value }))
  return EXIT.found
}

export async function unset(invocation: Invocation): Promise<number> {
  const file = openConfig(invocation.env)
  const name = nameOf(invocation, 1)
  const { url } = findAddress(invocation, await file.read())
  await file.change((config): Config => {
    if (name === 'key') return withService(config, url, { ...serviceOf(config, url), key: undefined })
    const { [name]: _gone, ...rest } = config
    return rest
  })
  return EXIT.found
}

export async function path({ streams, env }: Invocation): Promise<number> {
  streams.stdout.write(`${openConfig(env).path}\n`)
  return EXIT.found
}

function nameOf({ words, command }: Invocation, wanted: number): Plain | 'key' {
  const [name] = words
  if (name === undefined || words.length !== wanted)
    throw usageError(`namewright ${command.name} ${command.takes}`, `Settings: ${NAMES.join(', ')}.`)
  const known = NAMES.find((one) => one === name)
  if (known === undefined)
    throw usageError(`Unknown setting “${name}”. Valid settings: ${NAMES.join(', ')}.`, didYouMean(name, NAMES))
  return known
}

function checkedValue(name: Plain, value: string): string {
  if (name === 'url') return parseUrl(value, 'url')
  if (name === 'count' && !/^(?:[1-9]\d?|100)$/.test(value))
    throw usageError(`count must be from 1 to 100, not “${value}”.`)
  if (value.trim() === '') throw usageError(`${name} is empty. To remove it: namewright config unset ${name}`)
  return value.trim()
}
