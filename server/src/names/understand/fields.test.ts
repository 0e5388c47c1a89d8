import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { readKnowledge } from '../names.ts'
import { plainNameRequest } from '../plain-name-request.ts'
import { statedTraits } from './fields.ts'
import { detectLanguage } from './language.ts'
import { understand } from './understand.ts'

let knowledge: Knowledge
beforeAll(async () => {
  knowledge = await readKnowledge()
})

const guess = (description: string) => understand(knowledge, plainNameRequest(description)).fields[0]
const nameOf = (description: string) => knowledge.fields.name(guess(description)?.field ?? -1)

it.each([
  ['AI receptionist that answers every call after hours', 'phone answering and voice agents'],
  ['a bakery with sourdough and rye loaves', 'bread bakery'],
  ['a choir that sings in the church hall every Tuesday', 'choir and singing group'],
  ['recruiting software that screens candidates', 'recruiting and applicant tracking'],
])('finds what "%s" is about', (description, field) => {
  expect(nameOf(description)).toBe(field)
  expect(guess(description)?.surety).toBeGreaterThan(0.6)
})

it.each([
  ['书法工作室', 'calligraphy and lettering'],
  ['متجر عطور عربية فاخرة', 'perfume'],
  ['매달 집으로 오는 식물 구독 서비스', 'houseplants'],
  ['京都の抹茶カフェ', 'tea shop and tea brand'],
  ["club d'échecs à Paris", 'chess and mind games club'],
])('is not misled by the shop, the studio or the city in "%s"', (description, field) => {
  expect(nameOf(description)).toBe(field)
  expect(guess(description)?.surety).toBeGreaterThan(0.25)
})

it('goes by words such as shop where nothing else is known', () => {
  expect(guess('online mağaza')?.surety).toBeGreaterThan(0)
})

it.each([
  ['Hundesalon im Nachbarort', 'de', 'dog grooming'],
  ['Clases de guitarra flamenca para adultos', 'es', 'music lessons'],
  ['Retouches et ourlets, petite boutique de couture', 'fr', 'clothing alterations'],
  ['Idraulico pronto intervento a Bergamo', 'it', 'plumbing'],
  ['Um aplicativo pra dividir a conta do churrasco entre os amigos', 'pt', 'bill splitting and group expenses'],
  ['自宅の一室で小さなネイルサロンをやっています', 'ja', 'nail salon'],
  ['필라테스 소그룹 수업', 'ko', 'pilates and barre studio'],
  ['تنظيف منازل بعد البناء والتشطيب', 'ar', 'house cleaning'],
])('finds what "%s" is about, in %s', (description, language, field) => {
  const { language: detected, fields } = understand(knowledge, plainNameRequest(description))
  expect(detected).toBe(language)
  expect(knowledge.fields.name(fields[0]?.field ?? -1)).toBe(field)
  expect(fields[0]?.surety).toBeGreaterThan(0.6)
})

it.each([
  ['Gassiservice', 'de'],
  ['Fahrradwerkstatt', 'de'],
  ['bougies parfumées', 'fr'],
  ['reformas integrales', 'es'],
  ['犬の散歩代行', 'ja'],
  ['整体院、腰痛専門', 'ja'],
  ['新宿駅前英会話教室', 'ja'],
  ['遛狗服务', 'zh'],
  ['腰痛專科診所，臺北車站附近', 'zh'],
  ['沙家浜的小镇面馆', 'zh'],
  ['mobile dog grooming van', 'en'],
  ['community manager', 'en'],
  ['jalapeño hot sauce', 'en'],
  ['boutique de thé', 'fr'],
])('knows the language of the few words "%s"', (description, language) => {
  expect(understand(knowledge, plainNameRequest(description)).language).toBe(language)
})

it.each(['', '🙂', 'xqz wvut', 'We make the world a better place', 'future of everything, made easy'])(
  'is not sure what "%s" is about',
  (description) => {
    expect(guess(description)?.surety ?? 0).toBeLessThan(0.5)
  },
)

it('hears what a project does and how it is', () => {
  const { clues } = understand(knowledge, plainNameRequest('sourdough bakery in a small village'))
  expect(statedTraits(knowledge.fields.byTrait, clues).map(knowledge.fields.trait)).toEqual([
    'in a small town or neighbourhood',
  ])
})

it('takes none of the Chinese that we have for Japanese', () => {
  const read = (path: string) => readFileSync(new URL(`../../../data/${path}`, import.meta.url), 'utf8')
  const texts = [
    'names/fields/languages/zh.txt',
    'names/languages/zh.txt',
    'names/native/zh.txt',
    'messages/zh-Hans.json',
  ]
  const chinese = texts.flatMap((path) => read(path).match(/[\u4e00-\u9fff]{4,}/g) ?? [])
  expect(chinese.length).toBeGreaterThan(5_000)
  const taken = chinese.filter((text) => detectLanguage(knowledge, text, []) !== 'zh')
  expect(taken).toEqual([])
})
