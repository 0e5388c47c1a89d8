/** For tests whose names come from nowhere: nothing was understood of the description. */
import type { ProjectSummary } from '@namewright/names'

export const nothingUnderstood = async (): Promise<ProjectSummary> => ({
  language: 'en',
  subject: null,
  does: [],
  forWhom: [],
  angles: [],
  ignored: [],
  isSure: false,
})
