import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { retryOnDeadlock } from '~/db/driver/deadlocks';
import { dailySalts } from '~/db/schema/listening';
import type { FeedFetch, Listen, ReceivedParts } from '~/db/values/listening';
import { createRecorder } from '../../flow/group-commit';
import { RECORDER_LIMITS } from '../../limits/listening';
import type { Recorders } from '../../runtime/ctx';
import { insertFetches } from '../feeds/fetches';
import { insertDownloads } from './downloads';
import { insertListens } from './listens';

/** The recorders of a process, which share its connection pool. */
export function openRecorders(db: Database): Recorders {
  const { capacity, batch } = RECORDER_LIMITS;
  const listens = createRecorder({
    capacity,
    batch,
    write: (items: Listen[]) => retryOnDeadlock(() => insertListens(db, items)),
  });
  const downloads = createRecorder({
    capacity,
    batch,
    write: (items: ReceivedParts[]) => retryOnDeadlock(() => insertDownloads(db, items)),
  });
  const fetches = createRecorder({
    capacity,
    batch,
    write: (items: FeedFetch[]) => retryOnDeadlock(() => insertFetches(db, items)),
  });
  return {
    listens,
    downloads,
    fetches,
    saltOf: createSaltCache(db),
    async drained() {
      await Promise.all([listens.drained(), downloads.drained(), fetches.drained()]);
    },
  };
}

/** Keeps the salt of the most recent day in memory. */
function createSaltCache(db: Database): (day: string) => Promise<Buffer> {
  let cached: { day: string; salt: Promise<Buffer> } | null = null;
  return (day) => {
    if (cached?.day === day) return cached.salt;
    const entry = { day, salt: ensureSalt(db, day) };
    cached = entry;
    entry.salt.catch(() => {
      if (cached === entry) cached = null;
    });
    return entry.salt;
  };
}

/** The first process that needs a day's salt creates it; all others read the same salt. */
async function ensureSalt(db: Database, day: string): Promise<Buffer> {
  const salt = randomBytes(32);
  await db.insert(dailySalts).values({ day, salt }).onConflictDoNothing();
  const [row] = await db.select({ salt: dailySalts.salt }).from(dailySalts).where(eq(dailySalts.day, day));
  if (!row) throw new Error(`the salt of ${day} was deleted`);
  return row.salt;
}
