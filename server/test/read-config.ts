/** The settings as `main.ts` reads them, with every registrar. */
import { REGISTRARS } from '../src/engines/availability/registrars/all.ts'
import { readConfig as readWith } from '../src/platform/config/config.ts'
import type { Config } from '../src/platform/config/config.ts'
import { settingsWith } from '../src/platform/config/registrars.ts'

export const SETTINGS = settingsWith(REGISTRARS)

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return readWith(env, REGISTRARS)
}
