/**
 * Two tabs with the same form must not send the same upload at the same time. The second tab waits until the first has
 * finished or closed.
 */
export async function acquireUploadLock(slot: string, onWaiting: () => void): Promise<{ release: () => void }> {
  if (!('locks' in navigator)) return { release: () => {} };
  return new Promise((resolve) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      if (lock) return new Promise<void>((release) => resolve({ release }));
      onWaiting();
      void navigator.locks.request(slot, hold);
      return undefined;
    };
    void navigator.locks.request(slot, { ifAvailable: true }, hold);
  });
}
