/** Emails, from `send` to a mail server on loopback, and what must never get into one or into the log. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { dnsCache } from 'nodemailer/lib/shared'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Email, LANGUAGES, type MailOptions, openMail, Secret } from './source.ts'
import { makeCertificate } from './certificate.ts'
import type { Certificate } from './certificate.ts'
import { openSmtp } from './smtp-world.ts'
import type { SmtpWorld, SmtpWorldOptions } from './smtp-world.ts'
import { runningMs } from '../../scripts/test/running-ms.ts'

const FROM = 'Namewright <no-reply@names.example.com>'
const TOKEN = `eyJhbGciOiJIUzI1NiJ9.${'Zm9v=YmFy'.repeat(30)}.s-3_cret`
const LINK = `https://names.example.com/verify?token=${TOKEN}&next=%2Fwelcome%3Fa%3Db%26c&x=%22%3E'=3D`
const FAST = { startMs: 1, retryMs: [5, 10, 20], closeMs: 500 }
const KINDS = ['verify', 'reset', 'invite', 'exists', 'changed', 'authorized', 'watched_available'] as const

const emailOf = (email: Partial<Email> = {}): Email => ({
  kind: 'verify',
  to: 'ada@example.com',
  language: 'en',
  url: LINK,
  params: { name: 'Ada' },
  ...email,
})

/** A mail server and a sender to it, with what the sender wrote to its log. */
async function openWorld(server: SmtpWorldOptions = {}, options: Partial<MailOptions> = {}) {
  const smtp = await openSmtp(server)
  const { mail, lines } = await openSender({ url: new Secret(smtp.url), ...options })
  const close = async () => {
    await mail.close()
    await smtp.close()
  }
  return { smtp, mail, lines, [Symbol.asyncDispose]: close }
}

async function openSender(options: Partial<MailOptions>) {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const mail = await openMail({ url: undefined, from: FROM, log, pauses: FAST, ...options })
  return { mail, lines, [Symbol.asyncDispose]: () => mail.close() }
}

async function ended(mail: { outcomes(): ReadonlyMap<string, number> }, outcome: string, times = 1): Promise<void> {
  for (let i = 0; (mail.outcomes().get(outcome) ?? 0) < times; i++) {
    if (i > 1_000) throw new Error(`${outcome}: ${JSON.stringify([...mail.outcomes()])}`)
    await sleep(10)
  }
}

function expectSilence(text: string): void {
  for (const secret of ['ada', 'example', 'http', TOKEN, 's-3_cret', 'Confirm', 'Hello']) {
    expect(text).not.toContain(secret)
  }
}

describe('a letter', () => {
  let smtp: SmtpWorld
  beforeAll(async () => {
    smtp = await openSmtp()
  })
  afterAll(() => smtp.close())
  const open = () => openSender({ url: new Secret(smtp.url) })

  test.each(LANGUAGES)('of every kind arrives in %s, with its link intact', async (language) => {
    await using sender = await open()
    const file = readFileSync(new URL(`../data/mails/${language}.json`, import.meta.url), 'utf8')
    const texts = JSON.parse(file) as Record<string, Record<string, string>>
    const params = {
      name: 'Zoë',
      inviter: 'Łukasz',
      account: '小林',
      what: 'passkey_added',
      client: 'Bot',
      host: 'bot',
      domain: 'harbor',
    }
    for (const kind of KINDS) {
      const to = `${kind}.${language}@example.com`
      sender.mail.send(emailOf({ kind, to, language, params }))
      const email = await smtp.waitFor(to)
      const fill = (text = '') =>
        text
          .replaceAll('{name}', 'Zoë')
          .replaceAll('{inviter}', 'Łukasz')
          .replaceAll('{account}', '小林')
          .replaceAll('{client}', 'Bot')
          .replaceAll('{host}', 'bot')
          .replaceAll('{domain}', 'harbor')
          .replaceAll('{what}', texts.changes?.passkey_added ?? '')
      const { subject, text, after } = texts[kind] ?? {}
      expect(email.subject).toBe(fill(subject))
      expect(email.text).toBe(`${fill(text)}\n\n${LINK}\n\n${fill(after)}\n`)
      expect(email.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(readable(email.html)).toContain(fill(text))
      expect(readable(email.html)).toContain(fill(after))
      expect(readable(email.html)).toContain(`<a href="${LINK}">${LINK}</a>`)
      expect(email.text + email.subject).not.toMatch(/[{}]/)
    }
  })

  test.each([
    ['pt-PT', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['DE-at', 'de'],
    ['tlh', 'en'],
    [null, 'en'],
    [undefined, 'en'],
  ])('to somebody who reads %s is in %s', async (wanted, language) => {
    await using sender = await open()
    const to = `${wanted}@nearest.example.com`
    sender.mail.send(emailOf({ to, language: wanted }))
    expect((await smtp.waitFor(to)).headers.get('content-language')).toBe(language)
  })

  test('of one try is sent, refused for good, or refused for now', async () => {
    const refuse = (to: string) => ({ 'later@example.com': 451, 'never@example.com': 550 })[to]
    await using at = await openWorld({ refuse })
    const deliver = (to: string) => at.mail.deliver(emailOf({ to, id: 'one-and-the-same' }))
    expect(await deliver('now@example.com')).toBe('sent')
    expect((await at.smtp.waitFor('now@example.com')).headers.get('message-id')).toBe(
      '<one-and-the-same@names.example.com>',
    )
    expect(await deliver('later@example.com')).toBe('refused_for_now')
    expect(await deliver('never@example.com')).toBe('refused')
    expect(await deliver('nobody')).toBe('refused')
    expect([...at.mail.outcomes()]).toEqual([
      ['sent', 1],
      ['failed', 3],
      ['dropped', 0],
    ])
  })

  test('says who it is from, that a machine wrote it, and not with what', async () => {
    await using sender = await open()
    sender.mail.send(emailOf({ to: 'headers@example.com' }))
    const { headers, from } = await smtp.waitFor('headers@example.com')
    expect(from).toBe('no-reply@names.example.com')
    expect(headers.get('from')).toBe(FROM)
    expect(headers.get('to')).toBe('headers@example.com')
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('message-id')).toMatch(/^<[0-9a-f-]{36}@names\.example\.com>$/)
    expect([...headers.keys()].toSorted()).toEqual(
      'auto-submitted content-language content-type date from message-id mime-version subject to'.split(' '),
    )
  })

  test('about watched domains says where to turn such emails off', async () => {
    await using sender = await open()
    const changes = [{ domain: 'mayfly.com', kind: 'available', price: '$12.34' }] as const
    sender.mail.send(emailOf({ kind: 'watched_available', to: 'watching@example.com', changes }))
    const { headers } = await smtp.waitFor('watching@example.com')
    expect(headers.get('list-unsubscribe')).toBe(`<${LINK}>`)
  })

  test('cannot be given headers or recipients by a name', async () => {
    await using sender = await open()
    const evil = 'Eve\r\nBcc: all@example.org\r\nSubject: win\r\n\r\n<b>hello</b>\u0000\u2028next\u202egnp.exe'
    sender.mail.send(emailOf({ kind: 'invite', to: 'crlf@example.com', params: { inviter: evil, account: evil } }))
    const email = await smtp.waitFor('crlf@example.com')
    expect(email.headers.has('bcc')).toBe(false)
    expect(email.raw.split('\r\n\r\n')[0]).not.toMatch(/^(?:Bcc|Subject: win)/m)
    expect(email.subject).toMatch(/^Eve Bcc: all@example\.\u200borg Subject: win .* invites you to Eve Bcc/)
    for (const character of '\0\r\u2028\u202e') expect(email.subject + email.text).not.toContain(character)
    expect(smtp.emails.filter(({ to }) => to.endsWith('example.org'))).toEqual([])
  })

  test('shows a name that is HTML as it is written', async () => {
    await using sender = await open()
    const name = `"><img src=x onerror='alert(1)'><script>&amp;</script>`
    sender.mail.send(emailOf({ kind: 'invite', to: 'html@example.com', params: { inviter: name, account: name } }))
    const { html, text } = await smtp.waitFor('html@example.com')
    expect(html).not.toMatch(/<(?:img|script)/)
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(readable(html)).toContain(name)
    expect(text).toContain(name)
  })

  test('has one link, however much a name looks like one, and no more of it than a line', async () => {
    await using sender = await open()
    const name = `Win at https://evil.example/now or www.evil.example ${'x'.repeat(500)}`
    sender.mail.send(emailOf({ to: 'spam@example.com', params: { name } }))
    const { text } = await smtp.waitFor('spam@example.com')
    expect(text.match(/https?:\/\/\S+/g)).toEqual([LINK])
    expect(text).not.toContain('evil.example')
    expect(text.split('\n')[0]?.length).toBeLessThan(160)
  })

  test('fills a hole with nothing else than what was meant for it', async () => {
    await using sender = await open()
    sender.mail.send(
      emailOf({ kind: 'invite', to: 'holes@example.com', params: { inviter: '{account} $& $1', account: 'Acme' } }),
    )
    expect((await smtp.waitFor('holes@example.com')).subject).toBe('{account} $& $1 invites you to Acme')
  })

  test('to somebody without a name calls them by their address', async () => {
    await using sender = await open()
    sender.mail.send(emailOf({ to: 'nameless@example.com', params: { name: ' ' } }))
    expect((await smtp.waitFor('nameless@example.com')).text).toMatch(/^Hello nameless@example/)
  })

  test.each([
    ['two addresses', { to: 'ada@example.com, eve@example.org' }],
    ['a command in the address', { to: 'ada@example.com>\r\nRCPT TO:<eve@example.org' }],
    ['a group as address', { to: 'all:ada@example.com;' }],
    ['no address', { to: 'Ada' }],
    ['a link that is a script', { url: 'javascript:alert(1)' }],
    ['a link with a line break', { url: 'https://names.example.com/\r\nhttps://evil.example' }],
    ['no link', { url: '' }],
  ])('with %s is not sent', async (_, broken) => {
    await using sender = await open()
    const before = smtp.emails.length
    sender.mail.send(emailOf(broken))
    await ended(sender.mail, 'failed')
    expect(smtp.emails).toHaveLength(before)
    expect(sender.lines).toHaveLength(1)
    expect(JSON.parse(sender.lines[0] ?? '')).toMatchObject({ code: 'NotSendable', tries: 0 })
    expectSilence(sender.lines.join(''))
  })
})

describe('a mail server', () => {
  test('that fails twice gets the letter at the third try, and once', async () => {
    const tries: number[] = []
    const refuse = (_: string, attempt: number) => (tries.push(attempt) < 3 ? 451 : undefined)
    await using world = await openWorld({ refuse })
    world.mail.send(emailOf())
    expect((await world.smtp.waitFor('ada@example.com')).link).toBe(LINK)
    await ended(world.mail, 'sent')
    expect(tries).toEqual([1, 2, 3])
    expect(world.smtp.emails).toHaveLength(1)
    expect(world.lines).toEqual([])
  })

  test('that keeps failing is tried four times, and the log says how it failed and not for whom', async () => {
    const tries: number[] = []
    const refuse = (_: string, attempt: number) => (tries.push(attempt), 451)
    await using world = await openWorld({ refuse })
    world.mail.send(emailOf())
    await ended(world.mail, 'failed')
    expect(tries).toEqual([1, 2, 3, 4])
    expect(world.lines).toHaveLength(1)
    expect(JSON.parse(world.lines[0] ?? '')).toMatchObject({
      email: 'verify',
      tries: 4,
      code: 'EENVELOPE',
      status: 451,
      step: 'RCPT TO',
    })
    expectSilence(world.lines.join(''))
  })

  test('that refuses for good is not asked again', async () => {
    const tries: number[] = []
    await using world = await openWorld({ refuse: (_, attempt) => (tries.push(attempt), 550) })
    world.mail.send(emailOf())
    await ended(world.mail, 'failed')
    expect(tries).toEqual([1])
    expectSilence(world.lines.join(''))
  })

  test('that is not there costs the sender of a letter nothing', async () => {
    await using sender = await openSender({ url: new Secret('smtp://127.0.0.1:1') })
    const start = runningMs()
    sender.mail.send(emailOf())
    expect(runningMs() - start).toBeLessThan(200)
    await ended(sender.mail, 'failed')
    expect(JSON.parse(sender.lines[0] ?? '')).toMatchObject({ code: 'ESOCKET', cause: 'ECONNREFUSED', tries: 4 })
    expectSilence(sender.lines.join(''))
  })

  test('that asks for a password gets it, whatever is in it', async () => {
    await using world = await openWorld({ login: { user: 'us er@x', password: 'p:@/?#%ß' } })
    world.mail.send(emailOf())
    await world.smtp.waitFor('ada@example.com')
  })

  test('that refuses the password does not see it in the log', async () => {
    await using smtp = await openSmtp({ login: { user: 'namewright', password: 'right' } })
    await using sender = await openSender({ url: new Secret(`smtp://namewright:wr0ng-one@127.0.0.1:${smtp.port}`) })
    sender.mail.send(emailOf())
    await ended(sender.mail, 'failed')
    expect(JSON.parse(sender.lines[0] ?? '')).toMatchObject({ code: 'EAUTH', status: 535 })
    expect(sender.lines.join('')).not.toContain('wr0ng')
    expectSilence(sender.lines.join(''))
  })

  test('whose address has options in it cannot make us write letters to the console', async () => {
    await using smtp = await openSmtp()
    const written: string[] = []
    const { log: before } = console
    console.log = (...args) => void written.push(args.join(' '))
    try {
      const options = '?logger=true&debug=true&transactionLog=true'
      await using sender = await openSender({ url: new Secret(`${smtp.url}/${options}`) })
      sender.mail.send(emailOf())
      await smtp.waitFor('ada@example.com')
      expect(written.concat(sender.lines)).toEqual([])
    } finally {
      console.log = before
    }
  })
})

describe('a mail server elsewhere', () => {
  const HOST = 'mail.names-example.test'
  let certificate: Certificate
  let keys: { key: string; cert: string }
  beforeAll(async () => {
    certificate = await makeCertificate([HOST])
    const { NAMEWRIGHT_TLS_KEY_FILE: key, NAMEWRIGHT_TLS_CERT_FILE: cert } = certificate.env
    keys = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
    // Nodemailer asks DNS once and remembers: "elsewhere" is a name, and this machine plays it.
    dnsCache.set(HOST, { value: { addresses: ['127.0.0.1'] }, expires: Date.now() + 600_000 })
  })
  afterAll(() => certificate[Symbol.asyncDispose]())

  /** `ca`: whether its certificate is known to the sender. */
  async function sendTo(server: SmtpWorldOptions, scheme: string, ca: boolean) {
    const smtp = await openSmtp(server)
    const url = new Secret(`${scheme}://${HOST}:${smtp.port}`)
    const sender = await openSender({ url, ...(ca ? { ca: certificate.ca } : {}) })
    sender.mail.send(emailOf())
    await Promise.race([ended(sender.mail, 'failed'), ended(sender.mail, 'sent')])
    await sender.mail.close()
    await smtp.close()
    expectSilence(sender.lines.join(''))
    const [line = '{}'] = sender.lines
    return { arrived: smtp.emails.length, fault: JSON.parse(line) as { code?: string; step?: string } }
  }

  test('gets letters over STARTTLS', async () => {
    expect(await sendTo({ tls: { ...keys, secure: false } }, 'smtp', true)).toEqual({ arrived: 1, fault: {} })
  })

  test('gets letters over TLS from the first byte', async () => {
    expect(await sendTo({ tls: { ...keys, secure: true } }, 'smtps', true)).toEqual({ arrived: 1, fault: {} })
  })

  test('that does not encrypt gets none', async () => {
    const { arrived, fault } = await sendTo({}, 'smtp', true)
    expect({ arrived, ...fault }).toMatchObject({ arrived: 0, code: 'ETLS', step: 'STARTTLS' })
  })

  test.each([
    ['smtp', false],
    ['smtps', true],
  ])('that cannot prove who it is gets none by %s', async (scheme, secure) => {
    const { arrived, fault } = await sendTo({ tls: { ...keys, secure } }, scheme, false)
    expect(arrived).toBe(0)
    expect(fault.code).toMatch(/^(?:ESOCKET|ETLS)$/)
  })
})

test('letters beyond a thousand are dropped and counted, and closing still sends those that wait', async () => {
  await using smtp = await openSmtp()
  const pauses = { startMs: 600_000, closeMs: 120_000 }
  const { mail, lines } = await openSender({ url: new Secret(smtp.url), pauses })
  for (let i = 0; i < 1_010; i++) mail.send(emailOf({ to: `ada${i}@example.com` }))
  expect(Object.fromEntries(mail.outcomes())).toEqual({ sent: 0, failed: 0, dropped: 10 })
  // Logged once a minute, not once per email.
  expect(lines).toHaveLength(1)
  expectSilence(lines.join(''))
  await mail.close()
  expect(Object.fromEntries(mail.outcomes())).toEqual({ sent: 1_000, failed: 0, dropped: 10 })
  expect(new Set(smtp.emails.map(({ to }) => to)).size).toBe(1_000)
})

describe('closing', () => {
  test('waits for a letter under way and takes no more', async () => {
    const world = await openWorld({}, { pauses: { ...FAST, closeMs: 25_000 } })
    world.mail.send(emailOf())
    await world.mail.close()
    expect(world.smtp.emails).toHaveLength(1)
    world.mail.send(emailOf({ to: 'late@example.com' }))
    expect(world.mail.outcomes().get('dropped')).toBe(1)
    await world.smtp.close()
  })

  test('tries once more what the server refused for now', async () => {
    const refuse = (_: string, attempt: number) => (attempt === 1 ? 451 : undefined)
    const tried = Promise.withResolvers<void>()
    await using world = await openWorld(
      { refuse: (to, attempt) => (tried.resolve(), refuse(to, attempt)) },
      { pauses: { ...FAST, retryMs: [600_000], closeMs: 25_000 } },
    )
    world.mail.send(emailOf())
    await tried.promise
    await world.mail.close()
    expect(world.mail.outcomes().get('sent')).toBe(1)
  })

  test('does not wait longer than a few seconds for a server that says nothing more', async () => {
    await using world = await openWorld({ stall: true })
    for (let i = 0; i < 10; i++) world.mail.send(emailOf())
    await sleep(100)
    const start = runningMs()
    await world.mail.close()
    expect(runningMs() - start).toBeLessThan(2_000)
    expect(world.mail.outcomes().get('failed')).toBe(10)
    expectSilence(world.lines.join(''))
  })

  test('nor for one that says nothing at all', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { mail } = await openSender({
      url: new Secret(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`),
    })
    for (let i = 0; i < 10; i++) mail.send(emailOf())
    await sleep(100)
    const start = runningMs()
    await mail.close()
    expect(runningMs() - start).toBeLessThan(2_000)
    expect(mail.outcomes().get('failed')).toBe(10)
    silent.close()
  })
})

test('without a mail server mail is off, and sending does nothing', async () => {
  await using sender = await openSender({})
  expect(sender.mail.isOn).toBe(false)
  sender.mail.send(emailOf())
  expect(sender.lines).toEqual([])
})

/** HTML as its reader sees it, tags left as they are. */
function readable(html: string): string {
  return html.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}
