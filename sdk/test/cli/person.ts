/** A person at a browser: goes where the command sends them, and says yes or no. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { locationOf, navigate } from '../../../server/test/oauth-client.ts'
import type { OAuthClient } from '../../../server/test/oauth-client.ts'
import type { PeopleWorld, SignedIn } from '../../../server/test/people-world.ts'

/** Where the browser goes on after the decision is what the service says. */
export async function decide(
  { at, oauth, person }: { at: PeopleWorld; oauth: OAuthClient; person: SignedIn },
  url: string,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  const asked = await navigate(at, person, url)
  const way = locationOf(asked)
  if (!way.startsWith(`${at.url}/consent?`)) return new URL(way)
  return oauth.decide(person, await oauth.page(person, way), { decision })
}

/** For BROWSER: a program that writes down where it was sent. */
export function makeBrowser(folder: string): string {
  const path = `${folder}/browser`
  const [draft, note] = [`${folder}/opened.new`, `${folder}/opened`]
  writeFileSync(path, `#!/bin/sh\nprintf %s "$1" > "${draft}" && mv "${draft}" "${note}"\n`)
  chmodSync(path, 0o755)
  return path
}

/** Where it was sent, once it was. */
export async function opened(folder: string, isOver: () => boolean = () => false): Promise<string | undefined> {
  while (!existsSync(`${folder}/opened`)) {
    if (isOver()) return undefined
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const url = readFileSync(`${folder}/opened`, 'utf8')
  rmSync(`${folder}/opened`)
  return url
}
