import type { ObjectStore } from '../storage/port';

export type FetchRequest = {
  url: string;
  /** Limits the body both before and after decompression. */
  maxBytes: number;
  accept?: string;
  /** Validators of an earlier response. If they still match, the result is `unchanged`. */
  known?: { etag?: string | null; lastModified?: string | null };
  /** A redirect to such an address is not followed; the fetch throws `fetch.redirected`. */
  stopsAt?(url: string): boolean;
  /** Ends the fetch with the reason of the signal, also while it waits for a slot at its host. */
  signal?: AbortSignal;
};

export type Fetched = {
  /** The address after all redirects. */
  url: string;
  /** The target of the permanent redirects (301, 308) before the first temporary one or one from https to http. */
  movedTo: string | null;
  contentType: string | null;
  etag: string | null;
  lastModified: string | null;
};

export type FetchedBody = Fetched & { unchanged: false; bytes: Buffer };
export type Unchanged = Fetched & { unchanged: true };

export type DownloadRequest = {
  url: string;
  /**
   * The key of the complete file. Until it is complete, its parts are below `{key}.parts/`, where they stay after a
   * temporary failure; below `incoming/` a sweep removes them eventually. Only one download per key may run at a time.
   */
  key: string;
  maxBytes: number;
  /** Hexadecimal, if known. */
  sha256?: string;
  /** Ends the call with `fetch.timed_out` after this long, also while it waits for a slot; the next one resumes. */
  withinMs?: number;
};

export type Downloaded = {
  url: string;
  bytes: number;
  sha256: string;
  contentType: string | null;
  /** Number of bytes from an earlier call that this call continued. */
  resumedFrom: number;
};

export type PostRequest = { url: string; form: Record<string, string> };

/** Without a body, it is a GET. `answerMs`: for the whole answer, of which the first `answerBytes` are kept. */
export type DeliverRequest = {
  url: string;
  headers: Record<string, string>;
  body?: string;
  answerMs: number;
  answerBytes: number;
};
export type Delivered = { status: number; answer: string };

/** `answerMs`: for the answer to each request. `signal`: ends the probe, also while it waits for a slot at its host. */
export type ProbeRequest = { url: string; answerMs: number; signal: AbortSignal };

/** Fetches feeds, images and audio from other servers. Every fault of theirs is an error of errors.ts. */
export type FeedFetcher = {
  fetch(request: FetchRequest): Promise<FetchedBody | Unchanged>;
  /** Sends a form, which must be answered with 2xx; redirects are not followed. */
  post(request: PostRequest): Promise<void>;
  /**
   * Sends a message, and follows no redirects. Every status is an answer. Its caller decides how many are sent at once,
   * because one host may receive the messages of many.
   */
  deliver(request: DeliverRequest): Promise<Delivered>;
  /** @throws the error with which every request to this address would fail, before its name is looked up */
  checkAddress(url: string): Promise<void>;
  /** The status of a page after all redirects, by HEAD, or by GET if the host answers HEAD with an error. Reads no body. */
  probe(request: ProbeRequest): Promise<number>;
  /** Downloads into the object store in parts. Called again after a crash, it resumes. */
  download(store: ObjectStore, request: DownloadRequest): Promise<Downloaded>;
  /** Cancels running requests. The next process can resume a download. */
  close(): Promise<void>;
};

export type Address = { address: string; family: number };
/** Returns all addresses of a name, until the signal aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<Address[]>;

export type FetcherSettings = {
  /** Contact address of this installation, for the User-Agent. */
  contact: string;
  /** For tests: allows 127.0.0.0/8, ::1 and localhost names, on any port. */
  allowLoopback?: boolean;
  /** Default: 80 and 443. */
  ports?: readonly number[];
  limits?: Partial<FetcherLimits>;
  /** Default: the name servers of the system. */
  resolve?: Resolve;
};

export type FetcherLimits = {
  connectMs: number;
  headersMs: number;
  idleMs: number;
  /** For a fetch with all its redirects, without waiting for a slot; for a download, until its body starts. */
  wholeMs: number;
  headerBytes: number;
  redirects: number;
  /** Concurrent requests for feeds, and as many for files. */
  perHost: number;
  hostGapMs: number;
  /** Size of a stored part. */
  partBytes: number;
  /** Requested again on a resume, to check that the file is the same. */
  overlapBytes: number;
  /** A download may take longer than `wholeMs` if it receives this many bytes per second. */
  minBytesPerSecond: number;
  attempts: number;
  retryMs: number;
};
