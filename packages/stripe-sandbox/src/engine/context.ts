import { StripeFault } from '../wire/faults';
import { openWork, type Work } from './account-work';
import type { Log } from './log';
import { type Client, PLATFORM, withWriteLock } from './store';
import type { Conversion, Timing, WorkContext } from './unit-of-work';

export type SandboxContext = {
  client: Client;
  log: Log;
  /** The sandbox's clock, in seconds. */
  now(): number;
  /** URL of the hosted pages, without a trailing slash. */
  baseUrl: string;
  /** Name of the selling business. */
  business: string;
  conversions: Map<string, Conversion>;
  timing: Timing;
  /** Called after each commit. */
  onCommit(): void;
};

export const workContextOf = ({ now, baseUrl, business, log, conversions, timing }: SandboxContext): WorkContext => ({
  now: now(),
  pages: baseUrl,
  business,
  log,
  conversions,
  timing,
});

/** Runs an action of the sandbox itself (a page's button, for example) as one unit of work. */
export async function runWork<T>(context: SandboxContext, run: (work: Work) => Promise<T>): Promise<T> {
  const result = await withWriteLock(context.client, async (sql) => {
    const work = openWork(sql, PLATFORM, workContextOf(context));
    const outcome = await run(work).then(
      (value) => ({ value, error: undefined }),
      (error: unknown) => {
        if (error instanceof StripeFault && error.keepsChanges) return { value: undefined, error };
        throw error;
      },
    );
    await work.flush();
    return outcome;
  });
  context.onCommit();
  if (result.error) throw result.error;
  return result.value as T;
}
