import type { ObjectStore } from '../storage/port';

/** Why a stranger's server gave us nothing; each is a fact about it or about its address, never a fault of ours. */
export type RefusalReason =
  | 'address_invalid'
  | 'address_private'
  | 'port_forbidden'
  | 'name_unknown'
  | 'too_many_redirects'
  | 'timed_out'
  | 'connection_failed'
  | 'answer_invalid'
  | 'headers_too_large'
  | 'body_too_large'
  | 'body_cut'
  | 'encoding_unknown'
  | 'status_unexpected'
  | 'busy'
  | 'changed_meanwhile';

/** A fetch that was refused or failed. `retryAfterMs` where the host asked us to wait. */
export class FetchRefused extends Error {
  constructor(
    readonly reason: RefusalReason,
    readonly url: string,
    readonly detail: { status?: number; retryAfterMs?: number } = {},
  ) {
    super(`${reason}: ${url}`);
    this.name = 'FetchRefused';
  }
}

export type FetchRequest = {
  url: string;
  /** Of the body as it is after decompression; and before, where that is less. */
  maxBytes: number;
  accept?: string;
  /** What is known already: a feed that has not changed answers `unchanged`. */
  known?: { etag?: string | null; lastModified?: string | null };
};

export type Fetched = {
  /** Where it was found at last. */
  url: string;
  /** Where a permanent redirect (301, 308) led, if every step was one. */
  movedTo: string | null;
  contentType: string | null;
  etag: string | null;
  lastModified: string | null;
};

export type FetchedBody = Fetched & { unchanged: false; bytes: Buffer };
export type Unchanged = Fetched & { unchanged: true };

export type DownloadRequest = {
  url: string;
  /** Where the whole file is put; its parts lie below `{key}.parts/` until then. */
  key: string;
  maxBytes: number;
  /** In hexadecimal, where it is known. */
  sha256?: string;
};

export type Downloaded = {
  url: string;
  bytes: number;
  sha256: string;
  contentType: string | null;
  resumedFrom: number;
};

/** GET for what belongs to strangers: feeds, pictures, audio. Throws FetchRefused for everything that they can do. */
export type FeedFetcher = {
  fetch(request: FetchRequest): Promise<FetchedBody | Unchanged>;
  /** Into the object store, in parts: called again after a crash it goes on where it was. */
  download(store: ObjectStore, request: DownloadRequest): Promise<Downloaded>;
  close(): Promise<void>;
};

export type FetcherSettings = {
  /** Where whoever runs this installation can be reached: stands in the User-Agent. */
  contact: string;
  version: string;
  /** For tests: lets 127.0.0.0/8 and ::1 through, on any port. */
  allowLoopback?: boolean;
  ports?: readonly number[];
  limits?: Partial<FetcherLimits>;
  /** All addresses of a name; the system's resolver unless given. */
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>;
};

export type FetcherLimits = {
  connectMs: number;
  headersMs: number;
  idleMs: number;
  wholeMs: number;
  headerBytes: number;
  redirects: number;
  perHost: number;
  hostGapMs: number;
  /** Of one stored part of a download. */
  partBytes: number;
  attempts: number;
  retryMs: number;
};
