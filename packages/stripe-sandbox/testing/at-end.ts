import { afterAll, onTestFinished } from 'vitest';
import { getCurrentTest } from 'vitest/suite';

/**
 * Calls `close` when what has opened something ends: the test, or the file if no test has begun. Inside a test, `afterAll`
 * is never called, and connections to the database would add up until there are no more.
 */
export function atEnd(close: () => unknown): void {
  const ending = async () => void (await close());
  if (getCurrentTest()) onTestFinished(ending);
  else afterAll(ending);
}
