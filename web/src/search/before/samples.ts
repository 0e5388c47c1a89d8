/**
 * One name for the first example in each language, with its domain. `web/test/samples.test.ts` compares them with the names
 * that the service generates for that example. Whether the domain is available was not checked, and the page says so.
 */
import type { Language } from '../../i18n/languages.ts'

export interface Sample {
  readonly name: string
  readonly domain: string
}

export const SAMPLES: Readonly<Record<Exclude<Language, 'en-XA'>, Sample>> = {
  en: { name: 'Crumbfolk', domain: 'crumbfolk.com' },
  de: { name: 'Laibgericht', domain: 'laibgericht.com' },
  es: { name: 'Buenamiga', domain: 'buenamiga.com' },
  fr: { name: 'Joli Petrin', domain: 'jolipetrin.com' },
  it: { name: 'Appena Sfornato', domain: 'appenasfornato.com' },
  'pt-BR': { name: 'Saiu Do Forno', domain: 'saiudoforno.com' },
  tr: { name: 'Ekmek Kokusu', domain: 'ekmekkokusu.com' },
  ru: { name: 'С пылу', domain: 'spylu.com' },
  ar: { name: 'فرن الفجر', domain: 'furnalfajr.com' },
  ja: { name: '早起きパン', domain: 'hayaokipan.com' },
  ko: { name: '아침식빵', domain: 'achimsikppang.com' },
  'zh-Hans': { name: '骑到楼下', domain: 'qidaolouxia.com' },
}
