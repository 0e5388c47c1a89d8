/**
 * The service worker, which lets the app open without a network. Our pages take script addresses only from a policy that
 * names them, and this is the one address that has to be given as a text.
 */
const WORKER = '/service-worker.js'

interface Policy {
  createScriptURL(url: string): string
}

declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy
    }
  }
}

export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const policy = window.trustedTypes?.createPolicy('namewright', {
    createScriptURL(url) {
      if (url !== WORKER) throw new TypeError('not an address of ours')
      return url
    },
  })
  // Where it cannot be had, in a private window for example, the app works with a network.
  await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER).catch(() => undefined)
}
