import { APPEARANCES, testAccess } from '../access.ts'
import { STATES } from '../pages.ts'

testAccess(STATES, () => APPEARANCES)
