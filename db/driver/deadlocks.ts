/** Deadlock and serialization failure: Postgres has rolled back the transaction, and it may run again. */
const RETRYABLE = new Set<unknown>(['40P01', '40001']);

/**
 * Runs a whole transaction again if Postgres aborted it to end a deadlock. `work` must have no effects outside of it.
 */
export async function retryOnDeadlock<T>(
  work: () => Promise<T>,
  { tries = 3, onRetry }: { tries?: number; onRetry?: (error: unknown) => void } = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !isDeadlock(error)) throw error;
    onRetry?.(error);
    return retryOnDeadlock(work, { tries: tries - 1, onRetry });
  }
}

function isDeadlock(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && RETRYABLE.has(e.code)) return true;
  }
  return false;
}
