import { expect, test } from 'vitest'
import { createProposalReader } from './proposals.ts'
import { PROVIDERS } from './providers.ts'
import { createReplyReader } from './reply.ts'

const provider = PROVIDERS['openai-compatible']
const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

/** The text of the reply, which arrives in pieces of so many bytes. */
function read(reply: string, size: number): string {
  const reader = createReplyReader(provider)
  const bytes = Buffer.from(reply)
  let text = ''
  for (let at = 0; at < bytes.length; at += size) text += reader.add(bytes.subarray(at, at + size))
  return text + reader.end()
}

test.each([1, 2, 7, 4_096])('a stream means the same in pieces of %s bytes', (size) => {
  const reply = `\n\n${event('- Mayfly\n')}${event('- 花暦').replaceAll('\n', '\r\n')}data: [DONE]\n`
  expect(read(reply, size)).toBe('- Mayfly\n- 花暦')
})

test.each([1, 2, 7, 4_096])('a document means the same in pieces of %s bytes', (size) => {
  const reply = ` \n${JSON.stringify({ choices: [{ message: { content: '- Mayfly\n' } }] }, null, 2)}`
  expect(read(reply, size)).toBe('- Mayfly\n')
})

/** User and system time of several readings. */
function cpuOf(work: () => void): number {
  work()
  const before = process.cpuUsage()
  for (let i = 0; i < 24; i++) work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

test.each([
  ['a stream without line breaks', (size: number) => `data: "${'x'.repeat(size)}`],
  ['a document without line breaks', (size: number) => `{"x": "${'x'.repeat(size)}`],
  ['only blanks', (size: number) => ' '.repeat(size)],
])('twice as long a reply costs twice as much: %s', (_, replyOf) => {
  const [half, whole] = [replyOf(262_144), replyOf(524_288)]
  const costs = Array.from({ length: 5 }, () => cpuOf(() => read(whole, 64)) / cpuOf(() => read(half, 64)))
  expect(Math.min(...costs)).toBeLessThan(2.5)
})

test.each([
  ['one line', (size: number) => `- ${'x'.repeat(size)}`],
  ['only blanks', (size: number) => ' '.repeat(size)],
  ['blanks after a fence', (size: number) => `\`\`\`json${' '.repeat(size)}`],
  ['thoughts', (size: number) => `<think>${'x'.repeat(size)}`],
])('twice as long a text costs twice as much: %s', (_, textOf) => {
  function readNames(text: string): void {
    const reader = createProposalReader(30)
    for (let at = 0; at < text.length; at += 64) reader.add(text.slice(at, at + 64))
    reader.end()
  }
  const [half, whole] = [textOf(262_144), textOf(524_288)]
  const costs = Array.from({ length: 5 }, () => cpuOf(() => readNames(whole)) / cpuOf(() => readNames(half)))
  expect(Math.min(...costs)).toBeLessThan(2.5)
})
