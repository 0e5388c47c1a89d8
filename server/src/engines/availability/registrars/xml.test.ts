import fc from 'fast-check'
import { expect, test } from 'vitest'
import { childOf, childrenOf, findXml } from './xml.ts'

test('elements, attributes, namespaces, text, CDATA and comments are read', () => {
  const root = findXml(
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<a xmlns="urn:x" xmlns:p="urn:p">' +
      `<p:b k = 'v&quot;' l="&#65;&#x42;">one<!-- - -->&amp;<![CDATA[<two>]]></p:b><b xmlns=""/></a>\n`,
  )!
  expect([root.space, root.name]).toEqual(['urn:x', 'a'])
  const b = childOf(root, 'urn:p', 'b')!
  expect(b.text).toBe('one&<two>')
  expect([...b.attributes]).toEqual([
    ['k', 'v"'],
    ['l', 'AB'],
  ])
  expect(childrenOf(root, '', 'b').length).toBe(1)
})

test('the only child is the only one', () => {
  expect(childOf(findXml('<a><b/><b/></a>')!, '', 'b')).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['text', 'hello'],
  ['JSON', '{"a":1}'],
  ['a document type', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>'],
  ['an external entity', '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname">]><a>&e;</a>'],
  ['an unknown entity', '<a>&nbsp;</a>'],
  ['a bare ampersand', '<a>b & c</a>'],
  ['a processing instruction', '<?php x ?><a/>'],
  ['another encoding', '<?xml version="1.0" encoding="utf-16"?><a/>'],
  ['an open element', '<a><b></a>'],
  ['a closed stranger', '</a>'],
  ['crossed elements', '<a><b></a></b>'],
  ['two roots', '<a/><b/>'],
  ['text after the root', '<a/>x'],
  ['a doubled attribute', '<a b="1" b="2"/>'],
  ['an attribute without quotes', '<a b=1/>'],
  ['an attribute that never ends', '<a b="1/>'],
  ['attributes that touch', '<a b="1"c="2"/>'],
  ['a prefix from nowhere', '<p:a/>'],
  ['a comment that never ends', '<a><!-- </a>'],
  ['CDATA that never ends', '<a><![CDATA[</a>'],
  ['a control character', '<a>\u0001</a>'],
  ['a hidden control character', '<a>&#1;</a>'],
  ['half a character', '<a>&#xD800;</a>'],
  ['a character too far', '<a>&#x110000;</a>'],
  ['depth', '<a>'.repeat(40) + '</a>'.repeat(40)],
  ['width', `<a>${'<b/>'.repeat(20_001)}</a>`],
  ['attributes without end', `<a ${Array.from({ length: 70 }, (_, at) => `x${at}="1"`).join(' ')}/>`],
])('%s is refused', (_, text) => {
  expect(findXml(text)).toBeUndefined()
})

const escapeXml = (text: string) => text.replace(/[<>&"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

test('what is escaped comes back, in text and in attributes', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      // oxlint-disable-next-line no-control-regex -- those are rejected, by the test above
      fc.pre(!/[\0-\x1f]/.test(text))
      const root = findXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`)
      expect(root?.text).toBe(text)
      expect(root?.attributes.get('b')).toBe(text)
    }),
  )
})

test('no text makes it throw, and none makes it slow', () => {
  const marks = fc.constantFrom('<', '>', '/', '&', ';', '"', "'", '=', ' ', 'a', ':', '!', '[', ']', '-', '?', 'xmlns')
  fc.assert(fc.property(fc.array(marks, { maxLength: 60 }), (parts) => void findXml(parts.join(''))))
  for (const part of ['<a ', '<', '<!--', '&', '<a b="', "<a b='", '<a>', ' ', '<![CDATA[', '<a xmlns:a="', '</']) {
    const text = `<a>${part.repeat(Math.ceil(250_000 / part.length))}`
    const started = performance.now()
    expect(findXml(text)).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(1_000)
  }
})
