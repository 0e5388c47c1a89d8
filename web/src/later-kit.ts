/** What every part after the first load builds on, loaded once with the first of them. */
import './later.css'
import { addIcons } from './ui/icon.tsx'
import { LATER_PATHS } from './ui/later-paths.ts'

addIcons(LATER_PATHS)
