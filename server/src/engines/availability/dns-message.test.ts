import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerTo } from '../../../test/internet/fake-resolver.ts'
import { readAnswer, writeQuery } from './dns-message.ts'

const query = writeQuery('mayfly.co.uk', 'DS')

test('a question is one recursive DS question in class IN', () => {
  expect(query.toString('latin1')).toBe('\0\0\x01\0\0\x01\0\0\0\0\0\0\x06mayfly\x02co\x02uk\0\0\x2b\0\x01')
})

test('NOERROR is a delegation, with or without a DS record', () => {
  expect(readAnswer(answerTo(query, 'noerror'), query)).toEqual({ kind: 'exists', texts: [] })
})

test('NXDOMAIN is an absence for as long as the SOA allows', () => {
  const answer = answerTo(query, 'nxdomain', { zone: 'co.uk', ttlSeconds: 77 })
  expect(readAnswer(answer, query)).toEqual({ kind: 'absent', negativeTtlMs: 77_000 })
})

test('NXDOMAIN without an SOA may not be kept', () => {
  const answer = answerTo(query, 'noerror')
  answer[3] = 0x83
  expect(readAnswer(answer, query)).toEqual({ kind: 'absent', negativeTtlMs: 0 })
})

test('NXDOMAIN from the root is no news, because then the suffix does not exist', () => {
  expect(readAnswer(answerTo(query, 'nxdomain', { zone: '' }), query)).toEqual({ kind: 'unusable' })
})

test('an answer that did not fit is told apart', () => {
  for (const rcode of ['noerror', 'nxdomain'] as const) {
    const truncated = answerTo(query, rcode)
    truncated[2] = 0x83
    expect(readAnswer(truncated, query)).toEqual({ kind: 'truncated' })
  }
})

test('the texts of a TXT answer are read, and a cut one is no news', () => {
  const texts = writeQuery('_for-sale.mayfly.co.uk', 'TXT')
  const answer = answerTo(texts, 'noerror', { texts: [['one', 'two'], [''], ['x'.repeat(255)]] })
  const read = readAnswer(answer, texts)
  expect(read?.kind === 'exists' && read.texts.map((strings) => strings.map(String))).toEqual([
    ['one', 'two'],
    [''],
    ['x'.repeat(255)],
  ])
  for (let length = 0; length < answer.length; length++) {
    const cut = readAnswer(answer.subarray(0, length), texts)
    expect(cut === undefined || cut.kind === 'unusable', `cut at ${length}`).toBe(true)
  }
})

test('an error and a bare referral are no news', () => {
  const referral = answerTo(query, 'noerror')
  referral[3] = 0
  expect(readAnswer(referral, query)).toEqual({ kind: 'unusable' })
  for (const [rcode, why] of [
    ['servfail', 'failed'],
    ['refused', 'refused'],
  ] as const) {
    const answer = answerTo(query, rcode)
    expect(readAnswer(answer, query)).toEqual({ kind: 'unusable', why })
    // A resolver that recurses for nobody may leave out the mark that it does.
    answer[3] = (answer[3] ?? 0) & 0x0f
    expect(readAnswer(answer, query)).toEqual({ kind: 'unusable', why })
  }
})

test('an NXDOMAIN cut anywhere is no news or no answer', () => {
  const whole = answerTo(query, 'nxdomain')
  for (let length = 0; length < whole.length; length++) {
    const answer = readAnswer(whole.subarray(0, length), query)
    expect(answer === undefined || answer.kind === 'unusable', `cut at ${length}`).toBe(true)
  }
})

test('another name, another type, another class or a question sent back is not an answer', () => {
  const other = answerTo(writeQuery('mayfli.co.uk', 'DS'), 'nxdomain')
  const otherType = answerTo(query, 'nxdomain')
  otherType[query.length - 3] = 2
  const otherClass = answerTo(query, 'nxdomain')
  otherClass[query.length - 1] = 3
  for (const message of [other, otherType, otherClass, query]) {
    expect(readAnswer(message, query)).toBeUndefined()
  }
})

test('a resolver may change the case of the name', () => {
  const answer = answerTo(query, 'noerror')
  answer.write('MayFly', 13)
  expect(readAnswer(answer, query)).toEqual({ kind: 'exists', texts: [] })
})

test('whatever follows the question, reading ends and does not throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(0xffff), fc.nat(0xffff), (tail, answers, authorities) => {
      const message = Buffer.concat([answerTo(query, 'noerror'), tail])
      message[3] = 0x83
      message.writeUInt16BE(answers, 6)
      message.writeUInt16BE(authorities, 8)
      readAnswer(message, query)
    }),
  )
  const texts = writeQuery('mayfly.co.uk', 'TXT')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(0xffff), (tail, answers) => {
      const message = Buffer.concat([answerTo(texts, 'noerror'), tail])
      message.writeUInt16BE(answers, 6)
      readAnswer(message, texts)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(readAnswer(Buffer.from(bytes), query)).toBeUndefined()
    }),
  )
})
