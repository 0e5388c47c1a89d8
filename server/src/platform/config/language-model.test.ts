import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const REQUIRED = {
  NAMEWRIGHT_DATABASE_URL: 'postgres://namewright@127.0.0.1:5432/namewright',
  NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:6379',
  NAMEWRIGHT_SECRET: 'a secret of thirty-two characters',
  NAMEWRIGHT_REGISTRARS: 'none',
}
const read = (env: Record<string, string>) => readConfig({ ...REQUIRED, ...env }, []).languageModel

test('there is no language model unless one is named', () => {
  expect(read({})).toBeUndefined()
  expect(read({ NAMEWRIGHT_MODEL: 'none', NAMEWRIGHT_MODEL_URL: 'http://10.0.0.7/v1' })).toBeUndefined()
})

test('the name of a model may have colons and slashes', () => {
  expect(read({ NAMEWRIGHT_MODEL: 'ollama:hf.co/someone/model:8b' })).toMatchObject({
    kind: 'ollama',
    name: 'hf.co/someone/model:8b',
    url: undefined,
    key: undefined,
    deadlineMs: 5_000,
    storeLateMs: 0,
    reuseMs: 0,
    price: undefined,
    callsPerDay: { total: undefined, perAccount: 1_000 },
  })
})

test('an account may make a thousand calls a day unless another number is set, or none', () => {
  const perAccount = (calls: string) =>
    read({ NAMEWRIGHT_MODEL: 'ollama:m', NAMEWRIGHT_MODEL_CALLS_PER_ACCOUNT: calls })?.callsPerDay.perAccount
  expect([perAccount(''), perAccount('200'), perAccount('0'), perAccount('unlimited')]).toEqual([
    1_000,
    200,
    0,
    undefined,
  ])
})

test.each(['ai/qwen3:8B-Q4_K_M', 'gpt', 'anthropic:'])('a bare name is a model of chat completions: %s', (name) => {
  const model = read({ NAMEWRIGHT_MODEL: name, NAMEWRIGHT_MODEL_URL: 'http://model-runner.docker.internal/engines/v1' })
  expect(model).toMatchObject({ kind: 'openai-compatible', name })
})

test('a price is read as two numbers', () => {
  const model = read({ NAMEWRIGHT_MODEL: 'ollama:m', NAMEWRIGHT_MODEL_PRICE: '0.40/1.60' })
  expect(model?.price).toEqual({ sent: 0.4, received: 1.6 })
})

test('llama.cpp is known with its own address', () => {
  expect(read({ NAMEWRIGHT_MODEL: 'llama.cpp:qwen3-4b' })).toMatchObject({ kind: 'llama.cpp', name: 'qwen3-4b' })
})

test('a URL is kept without its last slash, a key as a secret', () => {
  const model = read({
    NAMEWRIGHT_MODEL: 'openai-compatible:m',
    NAMEWRIGHT_MODEL_URL: 'http://10.0.0.7:8000/v1/',
    NAMEWRIGHT_MODEL_KEY: 'sk-hunter2',
  })
  expect(model?.url).toBe('http://10.0.0.7:8000/v1')
  expect(model?.key?.reveal()).toBe('sk-hunter2')
  expect(inspect(model) + JSON.stringify(model)).not.toContain('hunter2')
})

test.each([
  [{ NAMEWRIGHT_MODEL: 'my model' }, 'NAMEWRIGHT_MODEL must be none, or a kind and a name'],
  [{ NAMEWRIGHT_MODEL: 'gpt' }, 'NAMEWRIGHT_MODEL_URL must be set'],
  [{ NAMEWRIGHT_MODEL: 'claude:hunter2' }, 'NAMEWRIGHT_MODEL must be anthropic:NAME; claude is no kind'],
  [{ NAMEWRIGHT_MODEL: 'openai:hunter2' }, 'NAMEWRIGHT_MODEL must be openai-compatible:NAME; openai is no kind'],
  [
    { NAMEWRIGHT_MODEL_FALLBACK: 'llamacpp:hunter2' },
    'NAMEWRIGHT_MODEL_FALLBACK must be llama.cpp:NAME; llamacpp is no kind',
  ],
  [{ NAMEWRIGHT_MODEL: 'openai-compatible:m' }, 'NAMEWRIGHT_MODEL_URL must be set'],
  [{ NAMEWRIGHT_MODEL: 'anthropic:m' }, 'NAMEWRIGHT_MODEL_KEY must be set'],
  [{ NAMEWRIGHT_MODEL_URL: 'ftp://10.0.0.7' }, 'NAMEWRIGHT_MODEL_URL must be a URL that starts with'],
  [{ NAMEWRIGHT_MODEL_URL: 'https://me:hunter2@10.0.0.7' }, 'NAMEWRIGHT_MODEL_URL must be a URL without user'],
  [{ NAMEWRIGHT_MODEL_URL: 'https://10.0.0.7/v1?key=hunter2' }, 'NAMEWRIGHT_MODEL_URL must be a URL without user'],
  [{ NAMEWRIGHT_MODEL_KEY: 'hunter2\u00a0x' }, 'NAMEWRIGHT_MODEL_KEY must be printable'],
  [{ NAMEWRIGHT_MODEL_REUSE_DAYS: '91' }, 'NAMEWRIGHT_MODEL_REUSE_DAYS must be 0 to 90'],
  [{ NAMEWRIGHT_MODEL_PRICE: '0.40' }, 'NAMEWRIGHT_MODEL_PRICE must be two prices'],
  [{ NAMEWRIGHT_MODEL_DEADLINE_MS: '60000' }, 'NAMEWRIGHT_MODEL_DEADLINE_MS must be 200 to 30000'],
] as [Record<string, string>, string][])('%o is refused, and no value is repeated', (env, problem) => {
  const reading = () => read(env)
  expect(reading).toThrow(problem)
  expect(reading).not.toThrow('hunter2')
})
