/** Notifies the other tabs of this browser of changes to the session and the favorites. */
export type TabChange = 'session' | 'favorites'

const channel = new BroadcastChannel('namewright')

export const notifyTabs = (change: TabChange): void => channel.postMessage(change)

export function onTabChange(listener: (change: TabChange) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<TabChange>) => listener(data))
}
