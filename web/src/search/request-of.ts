/** What is sent to the service for what stands in the address. */
import type { GenerateRequest } from '@namewright/client'
import { COUNT, definedOf, listOf, STYLES, WORDS_MAX } from './asked.ts'
import type { Asked } from './asked.ts'

const FACTS = ['evidence', 'pricing', 'rationale', 'score'] as const

export function requestOf(asked: Asked, description: string, currency: string | undefined): GenerateRequest {
  const list = (text: string | undefined) => (text === undefined ? undefined : listOf(text))
  const chosen = new Set(listOf(asked.styles))
  const leftOut = [...listOf(asked.without), ...listOf(asked.past)].slice(0, WORDS_MAX)
  return definedOf({
    description,
    count: asked.n ?? COUNT,
    tlds: list(asked.tlds),
    styles: asked.styles === undefined ? undefined : STYLES.filter((style) => chosen.has(style)),
    min_length: asked.min,
    max_length: asked.max,
    include_words: list(asked.with),
    exclude_words: leftOut.length === 0 ? undefined : leftOut,
    max_price: asked.price,
    currency: asked.currency ?? currency,
    country: asked.country,
    language: asked.language,
    seed: asked.seed,
    variants: asked.variants,
    like: list(asked.like),
    unlike: list(asked.unlike),
    include: FACTS,
  })
}
