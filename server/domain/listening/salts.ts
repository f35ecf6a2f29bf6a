import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database } from '~/db/client';
import { dailySalts } from '~/db/schema/listening';
import { SALT_LIMITS } from '../../limits/listening';

export type Salts = {
  /** The salt of a UTC day, the same in every process. Created if missing. */
  saltOf(day: string): Promise<Buffer>;
  /** The salt of a past day; null if nobody needed one, or if it was deleted. */
  lookupSalt(day: string): Promise<Buffer | null>;
};

/** Keeps the salts of the last days in memory. */
export function openSalts(db: Database): Salts {
  const created = new LRUCache<string, Promise<Buffer>>({ max: SALT_LIMITS.cachedDays });
  const read = new LRUCache<string, Promise<Buffer | null>>({
    max: SALT_LIMITS.cachedDays,
    // a process whose clock is late may still create it
    ttl: SALT_LIMITS.missingFor,
  });

  const keep = <Salt extends Buffer | null>(
    cache: LRUCache<string, Promise<Salt>>,
    day: string,
    find: () => Promise<Salt>,
  ) => {
    const known = cache.get(day);
    if (known) return known;
    const found = find();
    cache.set(day, found);
    found.catch(() => cache.peek(day) === found && cache.delete(day));
    return found;
  };

  return {
    saltOf: (day) => keep(created, day, () => ensureSalt(db, day)),
    async lookupSalt(day) {
      const own = await created.get(day);
      if (own) return own;
      const salt = await keep(read, day, () => readSalt(db, day));
      if (salt) created.set(day, Promise.resolve(salt));
      return salt;
    },
  };
}

/** The first process that needs a day's salt creates it; all others read the same salt. */
async function ensureSalt(db: Database, day: string): Promise<Buffer> {
  await db
    .insert(dailySalts)
    .values({ day, salt: randomBytes(32) })
    .onConflictDoNothing();
  const salt = await readSalt(db, day);
  if (!salt) throw new Error(`the salt of ${day} was deleted`);
  return salt;
}

async function readSalt(db: Database, day: string): Promise<Buffer | null> {
  const [row] = await db.select({ salt: dailySalts.salt }).from(dailySalts).where(eq(dailySalts.day, day));
  return row?.salt ?? null;
}
