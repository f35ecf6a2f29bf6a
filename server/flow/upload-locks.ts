import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Locker } from '@tus/server';
import type postgres from 'postgres';
import { SECONDS } from '../base/time';
import type { Log } from '../watching/log';

/**
 * First halves of the lock numbers: for an upload that is being written, and for one that another request wants to
 * write.
 */
const HELD = 727_275;
const WANTED = 727_276;
const RETRY_EVERY = 100;
const LOOK_EVERY = 400;
/** Longer than the tus server needs to end a request on demand. */
const PATIENCE = SECONDS(30);

type Session = { sql: postgres.TransactionSql; isLost: boolean; end(): void };
type Holder = { session: Session; requestRelease(): void };

/**
 * Lets one request at a time write to an upload, whichever web process receives it. A later request asks the running
 * one to end, because its client has usually reconnected.
 *
 * The locks are advisory locks in Postgres, on one connection per process, and only while uploads are running. They are
 * taken inside a transaction that stays open: a pooler then keeps the connection for us and closes it if we die.
 */
export function createUploadLocks(client: postgres.Sql, log: Log): Locker {
  const holders = new Map<string, Holder>();
  let current: { opening: Promise<Session>; users: number; looking: NodeJS.Timeout } | null = null;

  async function join(): Promise<Session> {
    current ??= open();
    const joined = current;
    joined.users += 1;
    try {
      return await joined.opening;
    } catch (error) {
      if (current === joined) forget();
      throw error;
    }
  }

  function open() {
    const opening = openSession(client, onLost);
    const looking = setInterval(() => {
      if (holders.size > 0) opening.then(release).catch(() => {});
    }, LOOK_EVERY);
    return { users: 0, opening, looking };
  }

  function forget(): void {
    clearInterval(current?.looking);
    current = null;
  }

  async function leave(session: Session): Promise<void> {
    const left = current;
    if (!left || (await left.opening) !== session) return;
    left.users -= 1;
    if (left.users > 0) return;
    if (current === left) forget();
    session.end();
  }

  function onLost(session: Session, err: unknown): void {
    log.warn({ err }, 'connection of the upload locks lost, running uploads have to resume');
    forget();
    for (const holder of holders.values()) if (holder.session === session) holder.requestRelease();
  }

  /** Ends the requests whose uploads another process wants to write. */
  async function release({ sql }: Session): Promise<void> {
    const rows = await sql<{ id: string }[]>`select objid::text as id from pg_locks
      where locktype = 'advisory' and classid = ${WANTED} and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`;
    const wanted = new Set(rows.map(({ id }) => Number(id)));
    for (const [id, holder] of holders) if (wanted.has(numberOf(id) >>> 0)) holder.requestRelease();
  }

  async function holdLock(id: string, holder: Holder): Promise<boolean> {
    holders.set(id, holder);
    // also after an error: a holder without a lock is never released and would block its upload
    const isLocked = await tryLock(holder.session, numberOf(id)).catch(() => false);
    if (!isLocked) holders.delete(id);
    return isLocked;
  }

  async function acquire(session: Session, id: string, { signal, requestRelease }: Request): Promise<boolean> {
    let isWaiting = false;
    const number = numberOf(id);
    try {
      for (
        const began = performance.now();
        performance.now() - began < PATIENCE && !signal.aborted && !session.isLost;
        await wait(RETRY_EVERY)
      ) {
        // Postgres would give this process the same lock twice, so this map separates requests to the same process
        const other = holders.get(id);
        if (other) other.requestRelease();
        else {
          if (await holdLock(id, { session, requestRelease })) return true;
        }
        if (!isWaiting) await session.sql`select pg_advisory_lock_shared(${WANTED}, ${number})`;
        isWaiting = true;
      }
      return false;
    } finally {
      if (isWaiting && !session.isLost) await session.sql`select pg_advisory_unlock_shared(${WANTED}, ${number})`;
    }
  }

  return {
    newLock: (id) => ({
      async lock(signal, requestRelease) {
        const session = await join();
        const isLocked = await acquire(session, id, { signal, requestRelease }).catch(() => false);
        if (isLocked) return;
        await leave(session);
        throw uploadBusy();
      },
      async unlock() {
        const session = holders.get(id)?.session;
        holders.delete(id);
        if (!session || session.isLost) return;
        await session.sql`select pg_advisory_unlock(${HELD}, ${numberOf(id)})`;
        await leave(session);
      },
    }),
  };
}

/** A transaction that stays open until `end`. `onLost` is called if its connection breaks earlier. */
function openSession(client: postgres.Sql, onLost: (session: Session, error: unknown) => void): Promise<Session> {
  return new Promise((resolve, reject) => {
    let session: Session | undefined;
    const running = client.begin(async (sql) => {
      // idle while uploads run, for hours on slow lines
      await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`;
      const ended = new Promise<void>((end) => {
        session = { sql, end, isLost: false };
      });
      if (session) resolve(session);
      await ended;
      await sql`select pg_advisory_unlock_all()`;
    });
    running.catch((error: unknown) => {
      if (!session) return reject(error);
      session.isLost = true;
      onLost(session, error);
    });
  });
}

type Request = { signal: AbortSignal; requestRelease(): void };

async function tryLock({ sql }: Session, number: number): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`select pg_try_advisory_lock(${HELD}, ${number}) as locked`;
  return row?.locked === true;
}

/** Clients of tus retry a 423. */
function uploadBusy(): Error {
  return Object.assign(new Error('locked'), { status_code: 423, body: 'Another request is writing this upload.\n' });
}

/** The second half of the lock number. If two uploads have the same number, they only wait for each other. */
function numberOf(id: string): number {
  return createHash('sha256').update(id).digest().readInt32BE();
}
