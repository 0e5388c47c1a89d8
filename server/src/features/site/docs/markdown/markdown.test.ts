import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBlocks } from './blocks.ts'
import { UnsupportedMarkdown } from './inline.ts'
import { renderBlocks } from './render.ts'

function render(markdown: string) {
  return renderBlocks(parseBlocks(`# Title\n\n${markdown}\n`), (href) =>
    href.startsWith('../../../../http/docs/') ? undefined : href,
  )
}

/** Without the whitespace between blocks, which has no meaning. */
function htmlOf(markdown: string): string {
  return render(markdown).content.text.replace(/>\s+</g, '><').trim()
}

describe('what our pages have', () => {
  test.each([
    ['plain words\nover two lines', '<p>plain words\nover two lines</p>'],
    ['a `code` word', '<p>a <code>code</code> word</p>'],
    ['code over `two\nlines`', '<p>code over <code>two lines</code></p>'],
    ['`` a ` tick ``', '<p><code>a ` tick</code></p>'],
    ['**strong** and _soft_', '<p><strong>strong</strong> and <em>soft</em></p>'],
    ['**strong `code`, [link](a.md)**', '<p><strong>strong <code>code</code>, <a href="a.md">link</a></strong></p>'],
    ['snake_case_word and 2 * 3', '<p>snake_case_word and 2 * 3</p>'],
    ['1 < 2 & 3', '<p>1 &#60; 2 &#38; 3</p>'],
    ['\\*not soft\\*', '<p>*not soft*</p>'],
    ['[a](https://example.com/x_(y))', '<p><a href="https://example.com/x_(y)">a</a></p>'],
    ['> said', '<blockquote><p>said</p></blockquote>'],
    ['- one\n- two\n  more', '<ul><li>one</li><li>two\nmore</li></ul>'],
    ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
    ['- one\n\n  two\n- three', '<ul><li>one<p>two</p></li><li>three</li></ul>'],
    ['- one\n  - deep', '<ul><li>one<ul><li>deep</li></ul></li></ul>'],
    ['a\n- b', '<p>a</p><ul><li>b</li></ul>'],
  ])('%j', (markdown, expected) => {
    expect(htmlOf(markdown)).toBe(expected)
  })

  test('code keeps every character, and what looks like a block in it is none', () => {
    const code = '# no heading\n\n| no | table |\n  <script>'
    expect(htmlOf(`\`\`\`sh\n${code}\n\`\`\``)).toContain(
      '<code># no heading\n\n| no | table |\n  &#60;script&#62;</code></pre>',
    )
  })

  test('a table has its cells, also with a pipe in code and with nothing in one', () => {
    const html = htmlOf('| a | b |\n| - | :-: |\n| `x\\|y` | |')
    expect(html).toContain('<td><code>x|y</code></td><td></td>')
    expect(html).toContain('<th scope="col" >a</th>')
  })

  test('a heading has the anchor that GitHub gives it, and a number when it comes again', () => {
    const { headings } = render('## GET /v1/tlds\n\n## A `code`, twice!\n\n## A code twice')
    expect(headings.map(({ id }) => id)).toEqual(['title', 'get-v1tlds', 'a-code-twice', 'a-code-twice-1'])
  })

  test('a row that begins with one word in backticks can be linked to, unless two do or a heading has the name', () => {
    const row = (name: string) => `| \`${name}\` | about |`
    const table = ['| a | b |', '| - | - |', row('alone'), row('twice'), row('twice'), row('limits'), row('two words')]
    const html = htmlOf(`${table.join('\n')}\n\n## Limits`)
    expect([...html.matchAll(/<tr id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['alone'])
  })

  test('a link to a file that is not on the site says where the file is', () => {
    expect(htmlOf('see [the map](../ARCHITECTURE.md#rows)')).toBe(
      '<p>see the map (<code>ARCHITECTURE.md</code> in the source)</p>',
    )
    expect(htmlOf('see [LICENSE](../LICENSE)')).toBe('<p>see LICENSE</p>')
  })

  test('what can be found is told by heading and by row', () => {
    const { passages } = render('intro\n\n## One\n\ntext\n\n| a | b |\n| - | - |\n| `key` | about it |\n| x | y |')
    expect(passages).toEqual([
      { id: '', heading: '', text: 'intro' },
      { id: 'key', heading: 'key', text: 'about it' },
      { id: 'one', heading: 'One', text: 'text x · y' },
    ])
  })
})

describe('what our pages do not have is refused, with its line', () => {
  test.each([
    ['<b>html</b>', 'HTML'],
    ['<!-- comment -->', 'HTML'],
    ['<https://example.com>', 'HTML'],
    ['&nbsp;', 'entities'],
    ['![a](b.png)', 'images'],
    ['[a][b]', 'reference'],
    ['[a]: https://example.com', 'definitions'],
    ['[a](b.md "title")', 'title'],
    ['[a](javascript:alert(1))', 'link'],
    ['[a](data:text/html,x)', 'link'],
    ['[a](//example.com)', 'link'],
    ['[a [b](c.md)](d.md)', 'link'],
    ['note[^1]', 'footnotes'],
    ['see https://example.com', 'bare address'],
    ['~~gone~~', 'strikethrough'],
    ['a `tick', 'backtick'],
    ['a **strong', 'without its end'],
    ['a _soft', 'without its end'],
    ['a  \nb', 'line breaks'],
    ['a\\\nb', 'line breaks'],
    ['***', 'rules'],
    ['words\n---', 'rules'],
    ['words\n===', 'rules'],
    ['* star', 'made with -'],
    ['+ plus', 'made with -'],
    ['1) one', 'made with 1.'],
    ['- one\nlazy', 'indented'],
    ['    code', 'indented code'],
    ['\tcode', 'tabs'],
    ['~~~\ncode\n~~~', 'backticks'],
    ['```sh title="x"\n```', 'language'],
    ['```sh\nno end', 'without its end'],
    ['##### five', 'four levels'],
    ['#hash', 'space'],
    ['| a | b |', 'rule'],
    ['| a | b |\n| - | - |\n| c |', 'cells'],
  ])('%j', (markdown, advice) => {
    const parse = () => parseBlocks(`# Title\n\nwords\n\n${markdown}\n`)
    expect(parse).toThrow(UnsupportedMarkdown)
    expect(parse).toThrow(advice)
    expect(parse).toThrow(/^line [5-7]: /)
  })

  test('a page without a title, or with two', () => {
    expect(() => renderBlocks(parseBlocks('words'), () => '')).toThrow('begins with its title')
    expect(() => render('# Another')).toThrow('one title')
  })
})

test('whatever is written, nothing but our own tags comes out', () => {
  const markup = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    "' onclick='x",
  ]
  const links = ['](', '](javascript:alert(1))', '](https://a.b/"onx="y)', '</code>', '&lt;', '&#60;', '<', '>', '"']
  const marks = ['`', '``', '**', '_', '*', '[', ']', '(', ')', '\\', '|', ' ', 'word', '\n', '\n\n']
  const blocks = ['# ', '## ', '- ', '1. ', '> ', '```\n', '| a | b |\n| - | - |\n| ']
  const nasty = fc.constantFrom(...markup, ...links, ...marks, ...blocks)
  const tags =
    /^<(?:\/?(?:p|code|strong|em|ul|ol|li|blockquote|table|thead|tbody|div|pre|h[234]|tr|th|td|a)(?: (?:id|href|class|start|scope|role|tabindex|aria-label|data-label)="[^"<>]*")* ?)>$/
  let rendered = 0
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 14 }), (pieces) => {
      let html: string
      try {
        html = render(pieces.join('')).content.text
      } catch {
        return
      }
      rendered += 1
      for (const [tag] of html.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(tags)
      expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]/)
      for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g))
        expect(href).not.toMatch(/^\s*(?:javascript|data):/i)
    }),
    { numRuns: 3000 },
  )
  // Most inputs are refused; enough must render for the test to be meaningful.
  expect(rendered).toBeGreaterThan(300)
})
