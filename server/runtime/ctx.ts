import { is, sql } from 'drizzle-orm';
import { PgTransaction } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '~/db/client';
import { retryOnDeadlock } from '~/db/driver/deadlocks';
import type { SignUpSource } from '~/db/schema/accounts';
import type { Scope } from '~/db/values/api-scopes';
import type { Sighting } from '~/db/values/contacts';
import type {
  FeedFetch,
  HeardReport,
  Listen,
  MachineRequest,
  ReceivedParts,
  RenditionParts,
} from '~/db/values/listening';
import type { Language } from '~/locales/languages';
import type { ConvertAudio, EncodeVideo } from '../adapters/converter/port';
import type { DnsPort } from '../adapters/dns/port';
import type { FeedFetcher } from '../adapters/feed-fetcher/port';
import type { GeoPort } from '../adapters/geo/port';
import type { IdentityPort } from '../adapters/identity/port';
import type { LanguageModel } from '../adapters/language-model/port';
import type { BulkMail } from '../adapters/mail/bulk/bulk-mail';
import type { Mailbox } from '../adapters/mail/mailbox';
import type { MailPort } from '../adapters/mail/port';
import type { PaymentsPort } from '../adapters/payments/port';
import type { Podping } from '../adapters/podping/port';
import type { SpeechPort } from '../adapters/speech/port';
import type { SpotifyPort } from '../adapters/spotify/port';
import type { StatisticsPort } from '../adapters/statistics/port';
import type { ObjectStore } from '../adapters/storage/port';
import type { Transcriber } from '../adapters/transcriber/port';
import type { VatNumbersPort } from '../adapters/vat-numbers/port';
import type { timeInThread } from '../alignment/time-in-thread';
import type { ByteSource } from '../audio/bytes';
import type { Conformed, Target } from '../audio/conform';
import type { FrameIndex } from '../audio/indexing';
import type { Measured } from '../audio/peaks';
import type { Vault } from '../auth/vault';
import type { Consent } from '../base/consent';
import type { Locale } from '../base/formats';
import type { Urls } from '../base/urls';
import type { ContentSource } from '../content/library';
import type { BankSettings, SupportSettings } from '../env/operator';
import type { Turn } from '../flow/fair-slots';
import type { Recorder } from '../flow/group-commit';
import type { Role } from '../policy/roles';
import type { Enqueue, EnqueueAll, JobQueue } from '../queue/queue';
import type { Log } from '../watching/log';
import type { Reach } from './seams';

export type Visitor = { type: 'visitor' };
/** `creatorId`: the creator for whom the user works now, in this role. REST always uses the user's own. */
export type User = {
  type: 'user';
  userId: number;
  creatorId: number | null;
  role: Role;
  sessionId: string;
  /** Of a key or an app; undefined for people, whom only their role limits. */
  scopes?: readonly Scope[];
};
/** A job, which has only the abilities listed for it in policy/abilities.ts. */
export type System = { type: 'system'; job: string };
export type Actor = Visitor | User | System;

/** Starts and ends sessions; the door decides whether to set cookies. */
export type SessionPort = {
  open(userId: number): Promise<{ token: string }>;
  close(): Promise<void>;
  /**
   * The token of a login that waits for its second factor, in the client. Null if the client can't keep one (REST): it
   * sends the code with the password.
   */
  pendingLogIn: { token: string | null; keep(token: string): void; clear(): void } | null;
  /** Call it after sessions were deleted from the database: their tokens stop working at once, in every process. */
  announceEnded(): Promise<void>;
  /** From now on this session works for the creator (cookie `podcaster`), which the caller has checked. */
  workFor(creatorId: number): Promise<void>;
  /** Stores language, consent to tracking and the link of a recommendation in the browser, and language and country in the user's sessions. */
  remember(facts: { language?: Language; country?: string; consent?: Consent; recommendation?: string }): Promise<void>;
};

/** External services, one port each, selected by the settings (select-ports.ts). */
export type Ports = {
  storage: ObjectStore;
  mail: MailPort;
  /** For editions, and for every email that many people get. */
  bulkMail: BulkMail;
  /** Where bounces arrive; null if no mailbox is read. */
  mailbox: Mailbox | null;
  dns: DnsPort;
  payments: PaymentsPort;
  fetcher: FeedFetcher;
  /** Null if this installation announces its feeds to no gateway. */
  podping: Podping | null;
  geo: GeoPort;
  statistics: StatisticsPort;
  identity: IdentityPort;
  vatNumbers: VatNumbersPort;
  /** Null if this installation has no engine. */
  transcriber: Transcriber | null;
  /** Null if this installation has none. */
  languageModel: LanguageModel | null;
  spotify: SpotifyPort;
  /** Encodes a clip like its episode, on a thread, with the operator's FFmpeg if set. @throws if the thread hangs */
  conformClip(clip: ByteSource, target: Target): Promise<Conformed>;
  /** Measures the loudness and the peaks of a recording, on a thread. @throws if the thread hangs */
  measureSound(source: ByteSource, index: FrameIndex): Promise<Measured>;
  /** Speaks texts with the operator's espeak-ng; null without one. */
  speech: SpeechPort | null;
  /** When each word of a text is said in a recording, on a thread (server/alignment). */
  timeText: typeof timeInThread;
  /** Converts other formats to MP3 with the operator's FFmpeg. Without FFmpeg, only MP3 files are accepted. */
  convertAudio: ConvertAudio;
  /** Encodes videos with the same FFmpeg; null without it. */
  encodeVideo: EncodeVideo | null;
};

/** A service outside the operator's network that processes personal data. `name`: of the company, or its host. */
export type Processor = {
  kind:
    | 'database'
    | 'email'
    | 'storage'
    | 'payments'
    | 'transcription'
    | 'suggestions'
    | 'statistics'
    | 'spotify'
    | 'tracing';
  name: string;
};

/** Settings that clients may know. */
export type PublicSettings = SupportSettings & {
  stripePublishableKey: string | null;
  /** A Google Tag Manager container, which is loaded only with the visitor's consent. */
  gtmId: string | null;
  /** The WebSub hub that tells podcast apps of new episodes. */
  webSubHub: string | null;
  /** The reaction to private feeds that many people share. */
  sharedFeeds: 'watch' | 'notify' | 'replace';
  /** Where creators' domains have DMARC reports sent. */
  dmarcReportsTo: string;
  /** With which the server that receives bounces begins its results of authentication; null if it writes none. */
  inboundServerId: string | null;
  /** If false, browsers remove the service worker of this site. */
  servesWorker: boolean;
  /** The shows that the home page may present, the preferred ones first. */
  homeShows: { domain: string; slug: string }[];
  /** Whether payments can be made, real or simulated ones. */
  takesPayments: boolean;
  processors: Processor[];
  /** Whether an engine transcribes episodes. */
  transcribes: boolean;
  /** Whether a language model suggests chapters, titles and notes. */
  suggests: boolean;
  /** Whether formats other than MP3 are accepted, because FFmpeg converts them. */
  convertsAudio: boolean;
};

/**
 * `network`: the network of the address. `referrer`: the page that sent the request. `isKnownDevice`: the device has logged in to this account before. `source`:
 * the affiliate and campaign that brought the visitor.
 */
export type Client = Turn & {
  address: string;
  userAgent: string;
  referrer?: string;
  channel: 'web' | 'rest' | 'api';
  source?: SignUpSource;
  /** The recommendation by whose link the browser came in the last days. */
  recommendationId?: number;
};

/** Slows down guessing of an account's codes. `isGuessable`: a code has few digits. */
export type CodeGuard = {
  attempt<T>(account: { email: string; isGuessable: boolean }, check: () => Promise<T>): Promise<T>;
};

/**
 * The recorders of a process; each queue exists once per connection pool, so that concurrent requests share a commit.
 */
export type Recorders = {
  listens: Recorder<Listen, boolean>;
  downloads: Recorder<ReceivedParts, null>;
  /** Of renditions, for impressions. */
  renditions: Recorder<RenditionParts, null>;
  fetches: Recorder<FeedFetch, null>;
  machines: Recorder<MachineRequest, null>;
  /** The number of new minutes; null if they are too many. */
  minutes: Recorder<HeardReport, number | null>;
  /** Which contacts who agree to it have read. */
  readers: Recorder<Sighting, null>;
  /** The salt of a UTC day, the same in every process. Created if missing. */
  saltOf(day: string): Promise<Buffer>;
  /** The salt of a past day; null if nobody needed one, or if it was deleted. */
  lookupSalt(day: string): Promise<Buffer | null>;
  /** Work that will record something at its end, such as sending audio; `drained` waits for it. */
  follow(work: Promise<unknown>): void;
  /** For shutdown: resolves when followed work has ended, and all received items are committed. */
  drained(): Promise<void>;
};

/** Everything that a domain function needs from outside. The domain reads no clock, environment or global variable. */
export type Ctx = {
  db: Database | Transaction;
  queue: JobQueue;
  ports: Ports;
  urls: Urls;
  log: Log;
  actor: Actor;
  language: Language;
  /** Of dates, times, numbers and amounts in the actor's texts. */
  locale: Locale;
  /** The text of a locale key, by default in `language`. */
  translate(key: string, params?: Record<string, string | number>, language?: Language): string;
  now(): Date;
  sessions: SessionPort;
  client: Client;
  codes: CodeGuard;
  vault: Vault;
  recorders: Recorders;
  /** The site's own texts. */
  content: ContentSource;
  settings: PublicSettings;
  /** The account that pays creators. It is never sent to clients. */
  bank: BankSettings | null;
  /** Called when the verb has read and is about to write. */
  reach: Reach;
};

/** The part of the context that reading needs, for one actor. */
export type Reader = Pick<Ctx, 'db' | 'actor' | 'now'>;

/** A context inside a transaction, the only place to enqueue jobs. */
export type TxCtx = Omit<Ctx, 'db'> & { db: Transaction; jobs: { enqueue: Enqueue; enqueueAll: EnqueueAll } };

/**
 * Runs `work` in a transaction (a savepoint if one is open): rows and jobs are committed together. One order of locks
 * prevents deadlocks (docs/decisions/0177). If a deadlock happens anyway, the transaction that Postgres aborts runs
 * again, so `work` must have no effects outside of it. `repeatable read`: all reads see one snapshot.
 */
export function transact<T>(
  ctx: Ctx,
  work: (tx: TxCtx) => Promise<T>,
  config?: { isolationLevel: 'repeatable read' },
): Promise<T> {
  const run = () =>
    ctx.db.transaction((db) => {
      const jobs = { enqueue: ctx.queue.joining(db), enqueueAll: ctx.queue.joiningAll(db) };
      return work({ ...ctx, db, jobs });
    }, config);
  // a savepoint is lost with its transaction
  if (is(ctx.db, PgTransaction)) return run();
  return retryOnDeadlock(run, { onRetry: (err) => ctx.log.warn({ err }, 'deadlock: running the transaction again') });
}

/** Notifies every web process on commit that cached responses with this tag are stale. */
export async function announceChange(
  tx: TxCtx,
  tag: `product:${number}` | `creator:${number}` | 'home' | 'status',
): Promise<void> {
  await tx.db.execute(sql`select pg_notify('changed', ${tag})`);
}

/** Whether the error is a violation of this constraint. Drizzle wraps the driver's error. */
export function violates(error: unknown, constraint: string): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('constraint_name' in e && e.constraint_name === constraint) return true;
  }
  return false;
}
