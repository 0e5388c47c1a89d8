/** Opens a URL in the user's browser, without a shell. */
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
  // The Unix convention: several browsers are separated by colons, in order of preference.
  if (env['BROWSER']) return [env['BROWSER'].split(':')[0] ?? '']
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : []
}
