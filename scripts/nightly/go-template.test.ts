import { expect, test } from 'vitest'
import { openTemplates } from '../deploy/go-template.ts'

function render(text: string, dot: unknown = {}): string {
  const upper = (word: unknown) => String(word).toUpperCase()
  return openTemplates(new Map([['t', text]]), { upper, join: (...parts) => parts.join('+') }).render('t', dot)
}

test.for([
  ['a {{ .x }} b', { x: 1 }, 'a 1 b'],
  ['a  {{- .x -}}  b', { x: 1 }, 'a1b'],
  ['{{/* a comment\n{{ .y }} */}}a', {}, 'a'],
  ['{{ if .x }}yes{{ else if .y }}maybe{{ else }}no{{ end }}', { y: true }, 'maybe'],
  ['{{ if .x }}yes{{ else }}no{{ end }}', { x: {} }, 'no'],
  ['{{ with .x }}{{ .y }}{{ $.z }}{{ end }}', { x: { y: 1 }, z: 2 }, '12'],
  ['{{ range .x }}[{{ . }}]{{ end }}', { x: [1, 2] }, '[1][2]'],
  ['{{ range $key, $value := .x }}{{ $key }}={{ $value }};{{ end }}', { x: { b: 2, a: 1 } }, 'a=1;b=2;'],
  ['{{ $a := 1 }}{{ if true }}{{ $a = 2 }}{{ end }}{{ $a }}', {}, '2'],
  ['{{ $a := 1 }}{{ if true }}{{ $a := 2 }}{{ end }}{{ $a }}', {}, '1'],
  ['{{ "a" | upper | join "x" "y" }}', {}, 'x+y+A'],
  ['{{ join (upper "a") `b|c)` }}', {}, 'A+b|c)'],
  ['{{ (index . "x").y }}', { x: { y: 3 } }, '3'],
  ['{{ define "d" }}<{{ . }}>{{ end }}{{ include "d" .x | upper }}', { x: 'a' }, '<A>'],
  ['{{ and .x .y }}{{ or .z .x }}{{ not .z }}{{ eq .x "a" }}', { x: 'a', y: 'b', z: '' }, 'batruetrue'],
  ['{{ printf "%s-%d" .x 3 }}', { x: 'a' }, 'a-3'],
] as const)('%s', ([text, dot, wanted]) => {
  expect(render(text, dot)).toBe(wanted)
})

test.for([
  ['{{ unknown 1 }}', /no function unknown/],
  ['{{ if .x }}a', /no end/],
  ['{{ end }}', /ends nothing/],
  ['{{ .x.y }}', /nothing has a field y/],
  ['{{ $x }}', /cannot read/],
  ['{{ include "d" . }}', /no template d/],
  ['{{ .x }', /does not end/],
  ['{{ . }}', /use toYaml/],
] as const)('%s is refused', ([text, reason]) => {
  expect(() => render(text, { a: 1 })).toThrow(reason)
})
