/** How the image is run, read from the last stage of its recipe, for who has the tree but has not built the image. */
import { readFileSync } from 'node:fs'
import type { ImageConfig } from './image-config.ts'

const RECIPE = new URL('../../deploy/image/Containerfile', import.meta.url)

export function readRecipe(): Omit<ImageConfig, 'Labels'> {
  const text = readFileSync(RECIPE, 'utf8')
  const last = text.slice(text.indexOf('\nFROM scratch')).replaceAll(/\\\n\s*/g, '')
  const find = (pattern: RegExp) => {
    const found = pattern.exec(last)?.[1]
    if (found === undefined) throw new Error(`the recipe has no ${pattern.source}`)
    return found
  }
  return {
    User: find(/^USER (.*)$/m),
    Env: find(/^ENV (.*)$/m).split(' '),
    Entrypoint: JSON.parse(find(/^ENTRYPOINT (.*)$/m)) as string[],
    Volumes: { [find(/^VOLUME (.*)$/m)]: {} },
    Healthcheck: { Test: ['CMD', ...(JSON.parse(find(/^HEALTHCHECK .*? CMD (.*)$/m)) as string[])] },
  }
}
