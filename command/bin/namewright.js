#!/usr/bin/env node
/** The command. In a checkout it runs the sources, so that it works after `pnpm install`; a package has only `dist`. */
import { existsSync } from 'node:fs'

const source = new URL('../src/bin.ts', import.meta.url)
await import(existsSync(source) ? source.href : new URL('../dist/bin.js', import.meta.url).href)
