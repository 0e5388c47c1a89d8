/** The names to compare are in this tab, also after a reload; the first load only needs to know whether there are any. */
export const COMPARED_KEY = 'namewright.compared'

export function hasCompared(): boolean {
  try {
    return (sessionStorage.getItem(COMPARED_KEY) ?? '[]') !== '[]'
  } catch {
    return false
  }
}
