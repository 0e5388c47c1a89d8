/** The files of `data/names/`, as lines, rows or JSON. Lines that start with # are notes to the reader. */
import { readFile } from 'node:fs/promises'

const FOLDER = new URL('../../data/names/', import.meta.url)

export async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(new URL(file, FOLDER), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** `head: the rest` on every line. */
export async function rowsOf(file: string): Promise<[string, string][]> {
  return (await linesOf(file)).map((line) => {
    const cut = line.indexOf(': ')
    return [line.slice(0, cut), line.slice(cut + 2)]
  })
}

export async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(new URL(file, FOLDER), 'utf8')) as T
}

export function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
