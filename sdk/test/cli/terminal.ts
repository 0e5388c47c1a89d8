/** A real terminal of a given size: tmux runs the command and captures the screen. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { BIN } from './harness.ts'

const run = promisify(execFile)

export interface Terminal extends AsyncDisposable {
  /** The screen, without empty lines at the end. */
  screen(): Promise<string>
  /** Waits until the screen matches, and returns it. */
  until(sign: RegExp): Promise<string>
  /** Presses keys, by their tmux names. */
  press(...keys: readonly string[]): Promise<void>
}

export interface TerminalOptions {
  readonly columns: number
  readonly rows?: number
  readonly env: Readonly<Record<string, string>>
}

const POLL_MS = 50

/** When it has ended, the last line of the screen is `[exit CODE]`. */
export async function openTerminal(
  args: readonly string[],
  { columns, rows = 20, env }: TerminalOptions,
): Promise<Terminal> {
  // A separate tmux server without user settings.
  const tmux = async (...words: readonly string[]) =>
    (
      await run('tmux', ['-u', '-L', name, '-f', '/dev/null', ...words], {
        env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
      })
    ).stdout
  const name = `namewright-${randomBytes(6).toString('hex')}`
  const settings = Object.entries({ LC_ALL: 'C.UTF-8', ...env }).map(([key, value]) => `${key}=${quoted(value)}`)
  const command = [process.execPath, BIN, ...args].map(quoted).join(' ')
  const script = `env ${settings.join(' ')} ${command}; echo "[exit $?]"; exec cat`
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), script)
  const screen = async () => (await tmux('capture-pane', '-p')).trimEnd()
  return {
    screen,
    async until(sign) {
      for (;;) {
        const shown = await screen()
        if (sign.test(shown)) return shown
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    [Symbol.asyncDispose]: async () => void (await tmux('kill-server')),
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
