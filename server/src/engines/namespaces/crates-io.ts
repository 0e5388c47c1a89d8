/**
 * crates.io: crates.
 *
 * GET /api/v1/crates/{name} returns the crate; `-`, `_` and case do not distinguish names. For a name without a crate it
 * is 404 with "crate `name` does not exist". A name begins with a letter and has at most 64 letters, digits, `-` and `_`.
 * The reserved names are in the source: names of Rust's own crates, and devices of Windows. The data access policy asks
 * for at most one request a second (github.com/rust-lang/crates.io and crates.io/data-access, read 2026-11-17).
 *
 * Crates cannot be hidden, and every rule for names is public. But the name of a deleted crate is held for 24 hours
 * (src/controllers/krate/delete.rs), in which the response is the same. So a missing crate proves nothing.
 */
import type { NamespaceDeclaration } from './declaration.ts'
import { fieldsOf, readerOf, fits } from './read-answer.ts'

const canonical = (name: string) => name.toLowerCase().replaceAll('_', '-')

export const cratesIo: NamespaceDeclaration = {
  name: 'crates-io',
  title: 'crates.io',
  group: 'packages',
  host: 'crates.io',
  rate: { perSecond: 1, isPublished: true },
  findName: (label) => (/^[a-z]/.test(label) ? label : undefined),
  queries: (name) => [
    {
      // Without `include` the response lists every version.
      path: `/api/v1/crates/${name}?include=default_version`,
      accept: 'application/json',
      read: readerOf(
        ({ crate }) => canonical(String(fieldsOf(crate).name)) === canonical(name),
        (body) =>
          fits(body, ({ errors }) => {
            const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
            return fieldsOf(first).detail === `crate \`${name}\` does not exist`
          }),
      ),
    },
  ],
  known: 'serde',
  pageOf: (name) => `https://crates.io/crates/${name}`,
  docs: {
    rules: '`-` and `_` are the same. Begins with a letter. Crates of Rust and devices of Windows are reserved.',
    notFound: 'crates.io holds the name of a deleted crate for 24 hours, and does not show it.',
  },
  privacy: 'The name.',
}
