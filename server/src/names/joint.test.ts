import { expect, it } from 'vitest'
import { createJoints, fit } from './joint.ts'
import { makePart } from './part.ts'

const part = (text: string) => makePart([text], 'c')
const joints = createJoints(
  ['penis', 'shit'],
  new Map(['tea', 'team', 'oat', 'oath'].map((w) => [w, part(w)])),
  () => true,
)

it('two parts do not meet in a doubled letter', () => {
  expect(fit(part('crumb'), part('bell'))).toBeLessThan(0)
  expect(fit(part('crumb'), part('kin'))).toBeGreaterThan(0)
})

it('eight letters fit better than fourteen', () => {
  expect(fit(part('oven'), part('well'))).toBeGreaterThan(fit(part('lantern'), part('orchard')))
})

it('a word nobody wants is found across the joint, and only there', () => {
  expect(joints.hides('penisland', 3)).toBe(true)
  expect(joints.hides('penisland', 5)).toBe(false)
  expect(joints.hides('ishi', 1)).toBe(false)
})

it('a name the eye may break elsewhere is noticed', () => {
  expect(joints.misreads(part('oat'), part('hoath'))).toBe(true)
  expect(joints.misreads(part('tea'), part('kin'))).toBe(false)
})
