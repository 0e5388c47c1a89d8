import { APPEARANCES, testAccess } from './access.ts'
import { STATES } from './pages.ts'

const NAMES = ['search', 'search-cards', 'search-details', 'history', 'favorites', 'share', 'welcome', 'settings-keys']
const states = STATES.filter(({ name }) => NAMES.includes(name))

testAccess(states, (state) => APPEARANCES.slice(states.indexOf(state) % 3).slice(0, 1))
