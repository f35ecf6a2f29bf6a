import { setTimeout as sleep } from 'node:timers/promises';
import { like } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { milestones } from '~/db/schema/operations';
import { AppError, type ErrorKind } from '../base/errors';
import { SECONDS } from '../base/time';
import type { Runtime } from '../runtime/runtime';

/** Runs again if its process was killed before it was recorded, so it must find the rows that it has created. */
export type Step = {
  /** Unique among all steps. */
  name: string;
  run: () => Promise<unknown>;
  /** Starts slow work; called a few steps earlier. */
  prepare?: () => void;
};

/** Called before each step and after the last one. */
export type OnProgress = (done: number, total: number) => void;

const DEMO = 'demo';
const OF_STEPS = `${DEMO}/`;
/** The milestone before the first step. */
const BEGUN = `${OF_STEPS}begun`;
/** How many steps ahead tunes are composed, while earlier steps write. */
const AHEAD = 6;
const AGAIN = SECONDS(1);

const TEMPORARY: ReadonlySet<ErrorKind> = new Set(['unavailable', 'too_many', 'no_space', 'upstream']);

/** `complete`: nothing is left to do; `begun`: a start was killed midway. */
export async function stateOfDemo(db: Database): Promise<'none' | 'begun' | 'complete'> {
  const reached = await reachedOf(db);
  if (reached.has(DEMO)) return 'complete';
  return reached.size > 0 ? 'begun' : 'none';
}

/** From now on, later starts complete the demo even if people sign up before its first step. */
export async function beginDemo(db: Database): Promise<void> {
  await db.insert(milestones).values({ name: BEGUN }).onConflictDoNothing();
}

/** Runs the missing steps, in order. Steps that can never succeed are skipped. */
export async function runSteps(
  { db, log }: Pick<Runtime, 'db' | 'log'>,
  steps: readonly Step[],
  onProgress: OnProgress,
): Promise<void> {
  const reached = await reachedOf(db);
  for (const [done, { name, run }] of steps.entries()) {
    onProgress(done, steps.length);
    if (reached.has(OF_STEPS + name)) continue;
    for (const next of steps.slice(done, done + AHEAD)) next.prepare?.();
    await runTwice(run).catch((cause) => {
      if (!isFinal(cause)) throw new Error(`the step “${name}” of the demo failed`, { cause });
      log.error({ err: cause, step: name }, 'a step of the demo was skipped');
    });
    await db
      .insert(milestones)
      .values({ name: OF_STEPS + name })
      .onConflictDoNothing();
  }
  await completeDemo(db);
  onProgress(steps.length, steps.length);
}

/** Pages are served meanwhile, so a user may have taken an address or a name of the demo: a retry fails again. */
const isFinal = (error: unknown) => error instanceof AppError && !TEMPORARY.has(error.kind);

/** Once more after a second: a worker that does the same at the same moment may be the cause. */
async function runTwice(run: Step['run']): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isFinal(error)) throw error;
    await sleep(AGAIN);
    await run();
  }
}

async function reachedOf(db: Database): Promise<Set<string>> {
  const rows = await db
    .select({ name: milestones.name })
    .from(milestones)
    .where(like(milestones.name, `${DEMO}%`));
  return new Set(rows.map(({ name }) => name));
}

async function completeDemo(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(milestones).values({ name: DEMO }).onConflictDoNothing();
    await tx.delete(milestones).where(like(milestones.name, `${OF_STEPS}%`));
  });
}
