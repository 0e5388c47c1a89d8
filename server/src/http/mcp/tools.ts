/** The full list of tools, in the order agents see them. */
import { checkDomainsTool } from './check-domains.ts'
import { checkNamesTool } from './check-names.ts'
import { addFavoriteTool, listFavoritesTool } from './favorites.ts'
import { getHistoryTool } from './history.ts'
import { suggestDomainsTool } from './suggest-domains.ts'
import type { Tool } from './tool.ts'

export const TOOLS: readonly Tool[] = [
  suggestDomainsTool,
  checkDomainsTool,
  checkNamesTool,
  listFavoritesTool,
  addFavoriteTool,
  getHistoryTool,
]
