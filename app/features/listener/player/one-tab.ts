/** Tells the other tabs of this host that playback started here. */
let channel: BroadcastChannel | null = null;

export function pauseForOtherTabs(pause: () => void): void {
  if (!('BroadcastChannel' in window)) return;
  channel = new BroadcastChannel('player');
  channel.addEventListener('message', pause);
}

export function announcePlaying(): void {
  channel?.postMessage('playing');
}
