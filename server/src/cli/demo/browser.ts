/** Opens a URL in the person's browser, if there is one; nothing depends on it. */
import { spawn } from 'node:child_process'

export function openBrowser(url: string, hasDisplay: boolean): void {
  const command = process.platform === 'darwin' ? 'open' : hasDisplay ? 'xdg-open' : undefined
  if (command === undefined) return
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
