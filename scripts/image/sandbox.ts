/**
 * A program of an image, run as a container runtime would: its root mounted read-only, its user, its environment and
 * nothing of ours, no new privileges, and the volume as the only place to write. There is no runtime here, so this does it
 * with `unshare`, `mount` and `chroot`, each of which replaces itself with the next: the process that is returned is the
 * program, and signals reach it. It shares the network of the machine. Needs root.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Runnable } from './image-config.ts'

// $1 the root, $2 the folder that is the volume, $3 where it is mounted, then the user and the program.
const ENTER = `
set -eu
root=$1 volume=$2 at=$3 user=$4; shift 4
mount --bind "$root" "$root"
mount --bind "$volume" "$root$at"
mount -t proc -o ro proc "$root/proc"
mount -o remount,ro,bind "$root"
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" "$@"
`

export function runInside(
  image: Runnable,
  volume: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [at = ''] = Object.keys(image.config.Volumes)
  const args = ['--mount', '--propagation', 'private', '/bin/sh', '-c', ENTER, 'enter']
  return spawn('unshare', [...args, image.root, volume, at, image.config.User, ...command], {
    env: { PATH: process.env['PATH'] ?? '', ...envOf(image), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** What the program wrote and how it ended. */
export async function finished(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

function envOf({ config }: Runnable): Record<string, string> {
  return Object.fromEntries(config.Env.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]))
}
