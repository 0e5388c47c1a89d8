/** Opens an address in the person's browser, without a shell. */
import { spawn } from 'node:child_process'
import type { Env } from './streams.ts'

export async function openBrowser(url: string, env: Env): Promise<boolean> {
  if (!/^https?:\/\//.test(url)) return false
  const [command = '', ...args] = commandOf(env)
  if (command === '') return false
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function commandOf(env: Env): readonly string[] {
  // As other programs of Unix have it; several are separated by colons, and the first is the best.
  if (env['BROWSER']) return [env['BROWSER'].split(':')[0] ?? '']
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : []
}
