/**
 * Opens a resource at its first use; later uses share it. All callers that wait for it get a failure, and the next use
 * tries again.
 */
export function openOnce<T>(open: () => Promise<T>): Lazy<T> {
  let opened: Promise<T> | null = null;
  return {
    get() {
      opened ??= open().catch((error) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    async ifOpened(close) {
      const value = await opened?.catch(() => null);
      if (value) await close(value);
    },
  };
}

export type Lazy<T> = {
  get(): Promise<T>;
  /** Runs `close` only if the resource was opened. */
  ifOpened(close: (value: T) => unknown): Promise<void>;
};
