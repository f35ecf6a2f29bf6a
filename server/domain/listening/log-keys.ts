import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { logKeys } from '~/db/schema/log-imports';
import { DAYS, earlier, utcDay } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import { toKeys } from './downloads';
import type { Listener } from './play-facts';

type KeyCtx = Pick<Ctx, 'db' | 'now' | 'recorders'>;

/**
 * The keys of listeners at any time of the past. Days whose salt still exists use it, so that a request that was also
 * counted live is the same listener's. Older days get a key of their own for the time of the import.
 */
export function openLogKeys(ctx: KeyCtx) {
  const created = new Map<string, Promise<Buffer>>();
  const read = new Map<string, Promise<Buffer | null>>();
  const kept = <Key>(map: Map<string, Promise<Key>>, day: string, find: () => Promise<Key>) => {
    const known = map.get(day) ?? find();
    map.set(day, known);
    return known;
  };
  const lookup = (day: string): Promise<Buffer | null> =>
    created.get(day) ?? kept(read, day, async () => (await ctx.recorders.lookupSalt(day)) ?? readKey(ctx, day));
  return async (client: Listener, at: Date) => {
    const salt = await kept(created, utcDay(at), () => ensureKey(ctx, utcDay(at)));
    return toKeys({ salt, former: await lookup(utcDay(earlier(at, DAYS(1)))) }, client);
  };
}

/** Whether the listeners of a time have keys of the import: its day has no salt any more that live requests have used. */
export const hasOwnKey = (now: Date, at: Date): boolean => utcDay(at) < utcDay(earlier(now, DAYS(1)));

async function ensureKey(ctx: KeyCtx, day: string): Promise<Buffer> {
  if (day >= utcDay(earlier(ctx.now(), DAYS(1)))) return ctx.recorders.saltOf(day);
  const row = { day, key: randomBytes(32), createdAt: ctx.now() };
  await ctx.db.insert(logKeys).values(row).onConflictDoNothing();
  const key = await readKey(ctx, day);
  if (!key) throw new Error(`the key of ${day} was deleted`);
  return key;
}

async function readKey({ db }: Pick<Ctx, 'db'>, day: string): Promise<Buffer | null> {
  const [row] = await db.select({ key: logKeys.key }).from(logKeys).where(eq(logKeys.day, day));
  return row?.key ?? null;
}
