/** The fields of the node in n8n's editor. Names and texts follow n8n's UX guidelines for community nodes. */
import type { INodeProperties } from 'n8n-workflow'
import type { Operation } from './request.ts'

const showFor = (...operation: Operation[]) => ({ show: { operation } })

const EXTENSIONS: INodeProperties = {
  displayName: 'Extensions',
  name: 'tlds',
  type: 'string',
  default: '',
  placeholder: 'e.g. com, io, co.uk',
  description: 'Domain extensions or presets, best first, separated by commas. Empty: the default of the service.',
}

const CHECK_AGAIN: INodeProperties = {
  displayName: 'Check Again',
  name: 'checkAgain',
  type: 'boolean',
  default: false,
  description: 'Whether to bypass caches and ask every source again',
}

const STYLES = {
  real_word: 'Real Word',
  compound: 'Compound',
  blend: 'Blend',
  affix: 'Affix',
  respelling: 'Respelling',
  foreign: 'Foreign Word',
  invented: 'Invented',
  short_phrase: 'Short Phrase',
  domain_hack: 'Domain Hack',
}

const collection = (operation: Operation, options: INodeProperties[]): INodeProperties => ({
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  displayOptions: showFor(operation),
  options,
})

export const properties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'generate',
    options: [
      {
        name: 'Check Domains',
        value: 'checkDomains',
        action: 'Check domains',
        description: 'Find out which domains can be registered, and at which price',
      },
      {
        name: 'Check Names',
        value: 'checkNames',
        action: 'Check names',
        description: 'Look names up under domain extensions, in package registries and at code hosts',
      },
      {
        name: 'Generate Names',
        value: 'generate',
        action: 'Generate names',
        description: 'Suggest names for a project, with domains that can be registered',
      },
    ],
  },
  {
    displayName: 'Description',
    name: 'description',
    type: 'string',
    typeOptions: { rows: 4 },
    default: '',
    required: true,
    placeholder: 'e.g. A bakery that delivers by bicycle',
    description: 'What the project is about, in any language',
    displayOptions: showFor('generate'),
  },
  {
    displayName: 'Count',
    name: 'count',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 10,
    description: 'How many names to return. Each uses one unit of the quota.',
    displayOptions: showFor('generate'),
  },
  {
    displayName: 'Domains',
    name: 'domains',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. example.com, example.io',
    description: 'Up to 200 domains, separated by commas, spaces or lines',
    displayOptions: showFor('checkDomains'),
  },
  {
    displayName: 'Names',
    name: 'names',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. storkloom, Blue Heron',
    description: 'Up to 20 names, separated by commas or lines',
    displayOptions: showFor('checkNames'),
  },
  collection('generate', [
    {
      displayName: 'Currency',
      name: 'currency',
      type: 'string',
      default: '',
      placeholder: 'e.g. EUR',
      description: 'The currency of prices. Empty: US dollars.',
    },
    EXTENSIONS,
    {
      displayName: 'Language',
      name: 'language',
      type: 'string',
      default: '',
      placeholder: 'e.g. pt-BR',
      description: 'The language of the names. Empty: that of the description.',
    },
    {
      displayName: 'Maximum Price',
      name: 'maxPrice',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 50,
      description: 'The highest price of the first year',
    },
    {
      displayName: 'Styles',
      name: 'styles',
      type: 'multiOptions',
      default: [],
      description: 'The styles of names. Empty: all.',
      options: Object.entries(STYLES).map(([value, name]) => ({ name, value })),
    },
  ]),
  collection('checkDomains', [
    CHECK_AGAIN,
    {
      displayName: 'For Sale',
      name: 'forSale',
      type: 'boolean',
      default: false,
      description: 'Whether to look up if the owner of a taken domain offers it for sale',
    },
  ]),
  collection('checkNames', [
    CHECK_AGAIN,
    EXTENSIONS,
    {
      displayName: 'Look Up Also',
      name: 'include',
      type: 'multiOptions',
      default: [],
      description: 'Where else to look names up',
      options: [
        { name: 'Code Hosts', value: 'code' },
        { name: 'Package Registries', value: 'packages' },
      ],
    },
  ]),
]
