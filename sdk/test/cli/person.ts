/** Simulates a person with a browser: opens the URL of the command, and allows or denies access. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { locationOf, navigate } from '../../../server/test/oauth-client.ts'
import type { OAuthClient } from '../../../server/test/oauth-client.ts'
import type { PeopleWorld, SignedIn } from '../../../server/test/people-world.ts'

/** Returns the URL that the service redirects to after the decision. */
export async function decide(
  { at, oauth, person }: { at: PeopleWorld; oauth: OAuthClient; person: SignedIn },
  url: string,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  const asked = await navigate(at, person, url)
  const next = locationOf(asked)
  if (!next.startsWith(`${at.url}/consent?`)) return new URL(next)
  return oauth.decide(person, await oauth.page(person, next), { decision })
}

/** A program for BROWSER that records the URL it opens. */
export function makeBrowser(folder: string): string {
  const path = `${folder}/browser`
  const [draft, note] = [`${folder}/opened.new`, `${folder}/opened`]
  writeFileSync(path, `#!/bin/sh\nprintf %s "$1" > "${draft}" && mv "${draft}" "${note}"\n`)
  chmodSync(path, 0o755)
  return path
}

/** Waits for the recorded URL. */
export async function opened(folder: string, isOver: () => boolean = () => false): Promise<string | undefined> {
  while (!existsSync(`${folder}/opened`)) {
    if (isOver()) return undefined
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const url = readFileSync(`${folder}/opened`, 'utf8')
  rmSync(`${folder}/opened`)
  return url
}
