/**
 * The settings of registrars. Each registrar declares its own, and the caller of `readConfig` passes the list of
 * registrars: this folder must not depend on them.
 */
import { listOf, oneOf, optional } from './parse.ts'
import { SETTINGS } from './settings.ts'
import type { Setting } from './settings.ts'

/** Empty by default. */
export interface RegistrarSetting<T> extends Omit<Setting<T>, 'default'> {
  /** Must be set when `NAMEWRIGHT_REGISTRARS` names the registrar. */
  readonly required?: true
}

export interface RegistrarSettings {
  /** Its name in `NAMEWRIGHT_REGISTRARS`, in evidence, and of its kill switch. */
  readonly name: string
  /** By the name of the environment variable. */
  readonly settings: Readonly<Record<string, RegistrarSetting<unknown>>>
}

/**
 * Every setting in the order of the docs: the registrars' settings follow `NAMEWRIGHT_REGISTRARS`, which accepts only
 * their names.
 */
export function settingsWith(registrars: readonly RegistrarSettings[]): Readonly<Record<string, Setting<unknown>>> {
  const { NAMEWRIGHT_REGISTRARS } = SETTINGS
  const choice = { ...NAMEWRIGHT_REGISTRARS, parse: listOf(oneOf(...registrars.map(({ name }) => name), 'none')) }
  return Object.fromEntries(
    Object.entries<Setting<unknown>>(SETTINGS).flatMap(([name, setting]) =>
      name === 'NAMEWRIGHT_REGISTRARS' ? [[name, choice], ...entriesOf(registrars)] : [[name, setting]],
    ),
  )
}

function entriesOf(registrars: readonly RegistrarSettings[]): [string, Setting<unknown>][] {
  return registrars.flatMap(({ settings }) =>
    Object.entries(settings).map(([name, setting]): [string, Setting<unknown>] => [
      name,
      { ...setting, default: '', parse: optional(setting.parse) },
    ]),
  )
}

/** The required settings that are missing for the registrars in `order`. */
export function findMissing(
  registrars: readonly RegistrarSettings[],
  order: readonly string[],
  values: Readonly<Record<string, unknown>>,
): readonly string[] {
  return registrars
    .filter(({ name }) => order.includes(name))
    .flatMap((registrar) =>
      requiredSettingsOf(registrar)
        .filter((setting) => values[setting] === undefined)
        .map((setting) => `${setting} must be set, because NAMEWRIGHT_REGISTRARS contains ${registrar.name}`),
    )
}

export function requiredSettingsOf({ settings }: Pick<RegistrarSettings, 'settings'>): readonly string[] {
  return Object.keys(settings).filter((name) => settings[name]?.required)
}

/** The parsed settings of each registrar, by its name. */
export function valuesOf(registrars: readonly RegistrarSettings[], values: Readonly<Record<string, unknown>>) {
  return Object.freeze(
    Object.fromEntries(
      registrars.map(({ name, settings }) => [
        name,
        Object.freeze(Object.fromEntries(Object.keys(settings).map((setting) => [setting, values[setting]]))),
      ]),
    ),
  )
}
