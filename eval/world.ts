/**
 * Everything a run needs, opened once: engine, registry, judge, readers, and the company list where there is one.
 *
 * Nothing is measured here. The engine is opened like anyone would open it and receives descriptions only.
 */
import { openNames, type Names } from '../server/src/names/names.ts'
import { findCompanies, type Company } from './companies.ts'
import { readDictionary, type Dictionary } from './dictionary.ts'
import { openJudge, type Judge } from './judge.ts'
import { createNameReader, type NameReader } from './maker.ts'
import { readPopular } from './popular.ts'
import { openPressure, type Pressure } from './pressure.ts'
import { createReader } from './words-of-name.ts'

export interface World {
  readonly engine: Names
  readonly dictionary: Dictionary
  /** Label → rank; empty where the list is not there. */
  readonly popular: ReadonlyMap<string, number>
  readonly pressure: Pressure
  readonly judge: Judge
  readonly read: NameReader
  readonly companies: readonly Company[] | undefined
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const dictionary = readDictionary()
  const popular = readPopular()
  const engine: Names & { close?: () => unknown } = await openNames()
  return {
    engine,
    dictionary,
    popular,
    pressure: openPressure(dictionary, popular),
    judge: await openJudge(),
    read: createNameReader(createReader(dictionary)),
    companies: findCompanies(),
    // Some engines hold native memory or threads that keep the process alive.
    close: async () => void (await engine.close?.()),
  }
}
