/** The settings as `main.ts` reads them, with every registrar. */
import { type Config, readConfig as readWith, REGISTRARS, settingsWith } from './source.ts'

export const SETTINGS = settingsWith(REGISTRARS)

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return readWith(env, REGISTRARS)
}
