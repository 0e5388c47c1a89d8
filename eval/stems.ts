/**
 * The words of a description that carry meaning, cut to a stem so that "roasters" and "roasting" are one.
 *
 * The cutting is coarse on purpose: for asking whether a name repeats a word it is better to see a repetition that a
 * person would see than to be right about grammar.
 */

const EMPTY = new Set(
  `a about across after again against all also am an and another any anyone anything are around as at be because been
  before being below better between both but by can could day did do does doing don down during each easy every everyone
  everything few first for from full get gets getting give gives go going got had has have having he help helping helps
  her here him his how i if in instead into is it its itself just keep less let lets like long lot made make makes making many may me
  more most much must my need needs never new no not now of off on once one only or other others our out over own people
  put really same see she should so some something still such take takes than that the their them then there these they
  thing things this those through time to together too two under until up us use used user users using very via want
  wants was way we well were what when where which while who whose why will with within without would you your yours`.split(
    /\s+/,
  ),
)

const ENDINGS = 'ations ation ities ingly ments ment ness ings ing ers ies ied ity ors ed er es or ly s e y'.split(' ')

/** Without endings; never shorter than three letters. */
export function stemOf(word: string): string {
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= 3)
  const stem = ending === undefined ? word : word.slice(0, -ending.length)
  // "running" and "run", "planner" and "plan".
  return stem.length > 3 && stem.at(-1) === stem.at(-2) && !/[ls]$/.test(stem) ? stem.slice(0, -1) : stem
}

/** Lower-case words of three letters or more that mean something, in order and without repeats. */
export function contentWords(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/\p{L}[\p{L}\p{M}]+/gu) ?? []
  return [...new Set(words)].filter((word) => word.length >= 3 && !EMPTY.has(word))
}
