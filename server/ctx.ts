import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '~/db/client';
import type { Enqueue, JobQueue } from '~/jobs/queue';
import type { Language } from '~/locales/languages';
import type { FeedFetcher } from './adapters/feed-fetcher/port';
import type { MailPort } from './adapters/mail/port';
import type { PaymentsPort } from './adapters/payments/port';
import type { ObjectStore } from './adapters/storage/port';
import type { ByteSource } from './audio/bytes';
import type { Conformed, Target } from './audio/conform';
import type { Recorders } from './domain/listening/group-commit';
import type { Log } from './log';
import type { Urls } from './urls';

export type Visitor = { type: 'visitor' };
export type User = { type: 'user'; userId: number; creatorId: number | null; sessionId: string };
/** A job: it holds only the abilities listed for it in policy/abilities.ts. */
export type System = { type: 'system'; job: string };
export type Actor = Visitor | User | System;

/** Opens and ends log-ins; the door decides whether a cookie goes with it. */
export type SessionPort = {
  open(userId: number): Promise<{ token: string }>;
  close(): Promise<void>;
  /** What the browser keeps beside the log-in: the creator's id (cookie `podcaster`) and the language. */
  remember(facts: { creatorId?: number; language?: string }): void;
};

/** What leaves the process: one port each, chosen by the environment (server/adapters). */
export type Ports = {
  storage: ObjectStore;
  mail: MailPort;
  payments: PaymentsPort;
  fetcher: FeedFetcher;
  /** A clip as its episode is encoded: on a thread, by the operator's FFmpeg where there is one. @throws when the thread hangs */
  conformClip(clip: ByteSource, target: Target): Promise<Conformed>;
};

/** Settings that clients may know. */
export type PublicSettings = {
  stripePublishableKey: string | null;
};

/** All that a domain function needs from outside. Nothing in the domain reads a clock, an environment or a global. */
export type Ctx = {
  db: Database | Transaction;
  queue: JobQueue;
  ports: Ports;
  urls: Urls;
  log: Log;
  actor: Actor;
  language: Language;
  /** The reader's sentence for a key of the locales, in `language` unless another is given. */
  translate(key: string, params?: Record<string, string | number>, language?: string): string;
  now(): Date;
  sessions: SessionPort;
  client: { address: string; userAgent: string };
  recorders: Recorders;
  settings: PublicSettings;
};

/** A context inside a transaction: only here can work be enqueued. */
export type TxCtx = Omit<Ctx, 'db'> & { db: Transaction; jobs: { enqueue: Enqueue } };

/** Runs `work` in one transaction (a savepoint where one is open already): rows and jobs together, or neither. */
export function transact<T>(ctx: Ctx, work: (tx: TxCtx) => Promise<T>): Promise<T> {
  return ctx.db.transaction((db) => work({ ...ctx, db, jobs: { enqueue: ctx.queue.joining(db) } }));
}

/** Tells every web process, at the commit, that what they cached of this is stale. */
export async function announceChange(tx: TxCtx, tag: `product:${number}` | `creator:${number}`): Promise<void> {
  await tx.db.execute(sql`select pg_notify('changed', ${tag})`);
}

/** What a unique index answers; Drizzle wraps the driver's error. */
export function violates(error: unknown, constraint: string): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('constraint_name' in e && e.constraint_name === constraint) return true;
  }
  return false;
}
