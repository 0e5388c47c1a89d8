import { expect, test } from 'vitest'
import { regionNames, shortRegions } from './region-names.ts'

const FR =
  'AT AX BE BG BL CH CY CZ DE DK EE ES FI FR GF GP GR HR HU IE IS IT LI LT LU LV MF MQ MT NC NL NO PF PL PM PT RE RO SE SI SK TF WF YT'

test('a list with every member of the union names the union, then the others', () => {
  expect(shortRegions(FR.split(' '))).toEqual(['EU', 'CH', 'IS', 'LI', 'NO'])
  expect(shortRegions(['AS', 'US'])).toEqual(['US'])
  expect(shortRegions(['DE', 'FR'])).toEqual(['DE', 'FR'])
})

test('regions have names in the language of the reader', () => {
  expect(['EU', 'CH', 'ZZ9'.slice(0, 2)].map(regionNames('de'))).toEqual([
    'Europäische Union',
    'Schweiz',
    'Unbekannte Region',
  ])
  expect(regionNames('en-XA')('JP')).toBe('Japan')
})
