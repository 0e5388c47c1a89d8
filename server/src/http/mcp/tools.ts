/** The full list of tools, in the order agents see them. */
import { checkTool } from './check.ts'
import { savedTool } from './saved.ts'
import { suggestNamesTool } from './suggest-names.ts'
import type { Tool } from './tool.ts'

export const TOOLS: readonly Tool[] = [suggestNamesTool, checkTool, savedTool]
