/** Two packages bring a copy of this hook for older versions of React; every version that we use has it. */
export { useSyncExternalStore } from 'react'
