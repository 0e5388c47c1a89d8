/** What one tab has changed, the other tabs of this browser hear of: who is here, or what is kept. */
export type TabChange = 'session' | 'favorites'

const channel = new BroadcastChannel('namewright')

export const tellTabs = (change: TabChange): void => channel.postMessage(change)

export function heedTabs(listener: (change: TabChange) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<TabChange>) => listener(data))
}
