/**
 * Relevance: how near names are to their description, between two anchors.
 *
 * A raw similarity says little, so it stands on a scale that real companies make: 0 is the mean similarity of other
 * companies' names to a description, 1 that of the company's own name. The scale is made of means over all companies,
 * because for a single company its own name is often no nearer than a stranger's. Where a description has no company
 * of its own the width of the scale is that of the companies.
 *
 * The judge also has a taste: names that sound like companies ("Labs", "Software") are nearer to any description of one.
 * `specificityOf` takes that out by comparing a maker with itself: how much nearer its names are to their own description
 * than to the other descriptions, on a scale of the same width.
 *
 * A name is read twice, as people write it and with its words apart, and the nearer reading counts; the same for every
 * maker. Relevance alone can be bought by repeating the description, so it is never read without the echo rate.
 */
import { meanOf } from '../statistics.ts'

const OTHERS = 25

export type Similarity = (a: string, b: string) => number

/** A description as the judge reads it, with the ways of reading each name. */
export interface Judged {
  readonly description: string
  readonly names: readonly (readonly string[])[]
}

export interface Scale {
  /** Names that have nothing to do with any of the descriptions. */
  readonly strangers: readonly (readonly string[])[]
  /** From a stranger's name to the company's own. */
  readonly width: number
}

export function nearness(description: string, readings: readonly string[], similarity: Similarity): number {
  return Math.max(...readings.map((reading) => similarity(description, reading)))
}

/** How far above a stranger's name each of the names stands, in raw similarity. */
export function liftsOf(
  { description, names }: Judged,
  strangers: Scale['strangers'],
  similarity: Similarity,
): readonly number[] {
  const zero = meanOf(strangers.map((readings) => nearness(description, readings, similarity)))
  return names.map((readings) => nearness(description, readings, similarity) - zero)
}

/** The scale of companies whose own names are given, one each; a company's own name is never its stranger. */
export function makeScale(own: readonly Judged[], strangers: Scale['strangers'], similarity: Similarity): Scale {
  const width = meanOf(
    own.map((company) => {
      const others = strangers.filter((readings) => !company.names.includes(readings))
      return meanOf(liftsOf(company, others, similarity))
    }),
  )
  return { strangers, width }
}

/** One value per answer that has names: 0 is as near as strangers' names, 1 as near as the companies' own. */
export function relevancesOf(answers: readonly Judged[], scale: Scale, similarity: Similarity): number[] {
  const given = answers.filter(({ names }) => names.length > 0)
  return given.map((answer) => meanOf(liftsOf(answer, scale.strangers, similarity)) / scale.width)
}

export function relevanceOf(answers: readonly Judged[], scale: Scale, similarity: Similarity): number {
  return meanOf(relevancesOf(answers, scale, similarity))
}

/** 0: the names would fit any description as well, 1: they belong to theirs as the companies' own names do. */
export function specificityOf(answers: readonly Judged[], scale: Scale, similarity: Similarity): number {
  const given = answers.filter(({ names }) => names.length > 0)
  const lifts = given.map((answer, at) => {
    // Some others stand for all: the mean hardly moves after a hundred names.
    const others = Array.from({ length: OTHERS }, (_, step) => given[(at + 1 + step * 7) % given.length])
    const elsewhere = others.filter((other) => other !== undefined && other !== answer)
    return meanOf(
      liftsOf(
        answer,
        elsewhere.flatMap((other) => other?.names ?? []),
        similarity,
      ),
    )
  })
  return meanOf(lifts) / scale.width
}
