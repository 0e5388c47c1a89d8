/** All namespaces, in the order of responses and docs. */
import { cratesIo } from './crates-io.ts'
import type { NamespaceDeclaration } from './declaration.ts'
import { dockerHub } from './docker-hub.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { homebrewCask, homebrewFormula } from './homebrew.ts'
import { npm } from './npm.ts'
import { pypi } from './pypi.ts'
import { rubygems } from './rubygems.ts'

export const NAMESPACES: readonly NamespaceDeclaration[] = [
  npm,
  pypi,
  cratesIo,
  rubygems,
  dockerHub,
  homebrewFormula,
  homebrewCask,
  github,
  gitlab,
]
