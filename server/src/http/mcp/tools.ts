/** The full list of tools, in the order agents see them. */
import { checkTool } from '../../features/check/tools.ts'
import { savedTool } from '../../features/favorites/tools.ts'
import { suggestNamesTool } from '../../features/generate/tools.ts'
import type { Tool } from './tool.ts'

export const TOOLS: readonly Tool[] = [suggestNamesTool, checkTool, savedTool]
