/** `namewright favorites`: saved domains, addressed by domain or by id. */
import type { Favorite, FavoriteChangeRecord, Seen } from '../../../sdk/src/api-types.ts'
import type { Namewright } from '../../../sdk/src/namewright.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { formatOf, showAll } from '../output.ts'
import type { Column } from '../output.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import type { Cell } from '../table.ts'
import { dateText, take } from '../take.ts'
import { domainText, priceText, verdictOf } from '../verdict.ts'

const COLUMNS: readonly Column<Favorite>[] = [
  {
    name: 'domain',
    value: ({ domain }) => domain,
    heading: { title: 'domain', shrinks: 'in the middle' },
    cell: ({ domain }) => ({ text: domainText(domain) }),
  },
  {
    name: 'available',
    value: ({ current }) => current.available,
    heading: { title: 'now' },
    cell: ({ current }) => seenCell(current),
  },
  {
    name: 'price',
    value: ({ current }) => current.price,
    heading: { title: 'price', align: 'right' },
    cell: ({ current, term_years }) => ({ text: priceText(current.price, term_years) }),
  },
  {
    name: 'watch',
    value: ({ watch: isWatched }) => isWatched,
    heading: { title: 'watched', isSpare: true },
    cell: ({ watch: isWatched }) => ({ text: isWatched ? 'yes' : '', colour: 'cyan' }),
  },
  { name: 'tags', value: ({ tags }) => tags.join(' '), heading: { title: 'tags', shrinks: true } },
  { name: 'note', value: ({ note }) => note, heading: { title: 'note', shrinks: true, isSpare: true } },
  { name: 'name', value: ({ name }) => name },
  { name: 'id', value: ({ id }) => id },
  { name: 'created_at', value: ({ created_at }) => created_at },
  { name: 'saved_available', value: ({ saved }) => saved.available },
  { name: 'saved_price', value: ({ saved }) => saved.price },
  { name: 'checked_at', value: ({ current }) => current.checked_at },
  { name: 'status', value: ({ current }) => current.status },
  { name: 'term_years', value: ({ term_years }) => term_years },
]

const CHANGE_COLUMNS: readonly Column<FavoriteChangeRecord>[] = [
  {
    name: 'created_at',
    value: ({ created_at }) => created_at,
    heading: { title: 'when (UTC)' },
    cell: ({ created_at }) => ({ text: dateText(created_at), colour: 'dim' }),
  },
  { name: 'kind', value: ({ kind }) => kind, heading: { title: 'what' } },
  {
    name: 'before_available',
    value: ({ before }) => before.available,
    heading: { title: 'before' },
    cell: ({ before }) => seenCell(before),
  },
  { name: 'before_price', value: ({ before }) => before.price, heading: { title: 'price', align: 'right' } },
  {
    name: 'after_available',
    value: ({ after }) => after.available,
    heading: { title: 'after' },
    cell: ({ after }) => seenCell(after),
  },
  { name: 'after_price', value: ({ after }) => after.price, heading: { title: 'price', align: 'right' } },
]

export async function list(invocation: Invocation): Promise<number> {
  const { options, outside, say } = invocation
  const { client } = await openSession(invocation)
  const filter = {
    q: options.text('search'),
    tag: options.text('tag'),
    watch: options.flag('watched') ? true : undefined,
  }
  const found = take(invocation, (page) => client.favorites.page({ ...page, ...filter }, { signal: outside.signal }))
  const count = await show(invocation, found)
  if (count === 0) say('No results.')
  return count === 0 ? EXIT.none : EXIT.found
}

export async function add(invocation: Invocation): Promise<number> {
  const { options, words, outside } = invocation
  if (words.length === 0) throw usageError('Pass at least one domain: namewright favorites add storkloom.com')
  const { client } = await openSession(invocation)
  const fields = {
    note: options.text('note'),
    tags: options.list('tags'),
    watch: options.flag('watch') ? true : undefined,
  }
  const added: Favorite[] = []
  for (const domain of words) added.push(await client.favorites.add({ domain, ...fields }, { signal: outside.signal }))
  await show(invocation, added)
  return EXIT.found
}

export async function remove(invocation: Invocation): Promise<number> {
  const { client, found } = await findAll(invocation)
  for (const { id } of found) await client.favorites.delete(id, { signal: invocation.outside.signal })
  return EXIT.found
}

export function watch(invocation: Invocation): Promise<number> {
  return setWatch(invocation, true)
}

export function unwatch(invocation: Invocation): Promise<number> {
  return setWatch(invocation, false)
}

export async function changes(invocation: Invocation): Promise<number> {
  const { options, words, streams, paint, outside, say } = invocation
  if (words.length !== 1) throw usageError('Pass one domain or id: namewright favorites changes storkloom.com')
  const { client, found } = await findAll(invocation)
  const records = client.favorites.changes(found[0]?.id ?? '', { signal: outside.signal })
  const format = formatOf(options, streams.stdout)
  const count = await showAll(records, { format, output: streams.stdout, paint, columns: CHANGE_COLUMNS })
  if (count === 0)
    say(
      found[0]?.watch === true
        ? 'No changes so far.'
        : 'This favorite is not watched. To watch it: namewright favorites watch DOMAIN',
    )
  return count === 0 ? EXIT.none : EXIT.found
}

async function setWatch(invocation: Invocation, isWatched: boolean): Promise<number> {
  const { client, found } = await findAll(invocation)
  const signal = { signal: invocation.outside.signal }
  const changed: Favorite[] = []
  for (const { id } of found) changed.push(await client.favorites.update(id, { watch: isWatched }, signal))
  await show(invocation, changed)
  return EXIT.found
}

/** Finds all favorites before anything is changed, so that a mistyped one changes nothing. */
async function findAll(invocation: Invocation): Promise<{ client: Namewright; found: readonly Favorite[] }> {
  const { words, command } = invocation
  if (words.length === 0) throw usageError(`Pass at least one domain or id: namewright ${command.name} storkloom.com`)
  const { client } = await openSession(invocation)
  const found: Favorite[] = []
  for (const word of words) found.push(await find(client, word, invocation.outside.signal))
  return { client, found }
}

async function find(client: Namewright, word: string, signal: AbortSignal): Promise<Favorite> {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)) return client.favorites.get(word, { signal })
  const wanted = new Set([word.toLowerCase(), asciiOf(word)])
  for await (const one of client.favorites.list({ q: asciiOf(word) }, { signal }))
    if (wanted.has(one.domain)) return one
  throw new CliError(EXIT.none, `${word} is not a favorite.`)
}

/** The ASCII form (Punycode). */
function asciiOf(domain: string): string {
  return URL.canParse(`http://${domain}/`) ? new URL(`http://${domain}/`).hostname : domain.toLowerCase()
}

function seenCell(seen: Seen): Cell {
  const { symbol, word, colour } = verdictOf(seen)
  return { text: `${symbol} ${word}`, colour }
}

function show(
  { options, streams, paint }: Invocation,
  items: AsyncIterable<Favorite> | Iterable<Favorite>,
): Promise<number> {
  return showAll(items, { format: formatOf(options, streams.stdout), output: streams.stdout, paint, columns: COLUMNS })
}
