/** All supported registrars, in the order in which the settings and the docs list them. */
import { cloudflare } from './cloudflare.ts'
import type { RegistrarDeclaration } from './declaration.ts'
import { fastly } from './fastly.ts'
import { godaddy } from './godaddy.ts'
import { nameCom } from './name-com.ts'
import { namecheap } from './namecheap.ts'
import { ownSource } from './own-source.ts'
import { porkbun } from './porkbun.ts'
import { spaceship } from './spaceship.ts'
import { vercel } from './vercel.ts'

export const REGISTRARS: readonly RegistrarDeclaration[] = [
  vercel,
  cloudflare,
  nameCom,
  porkbun,
  godaddy,
  namecheap,
  spaceship,
  fastly,
  ownSource,
]
