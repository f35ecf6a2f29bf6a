import type { ObjectStore } from '../storage/port';

export type FetchRequest = {
  url: string;
  /** Of the body as it came, and as it is after decompression. */
  maxBytes: number;
  accept?: string;
  /** What is known already: a feed that has not changed answers `unchanged`. */
  known?: { etag?: string | null; lastModified?: string | null };
};

export type Fetched = {
  /** Where it was found at last. */
  url: string;
  /** Where permanent redirects (301, 308) led, up to the first that was none or that left https for http. */
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
   * Where the whole file is put; its parts lie below `{key}.parts/` until then, and stay there after a failure that may
   * pass. Below `incoming/` they are swept in the end. One download of a key at a time.
   */
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
  /** How many bytes an earlier call had left, if this one went on with them. */
  resumedFrom: number;
};

/** GET for what belongs to strangers: feeds, pictures, audio. All that they can do is an error of errors.ts. */
export type FeedFetcher = {
  fetch(request: FetchRequest): Promise<FetchedBody | Unchanged>;
  /** Into the object store, in parts: called again after a crash it goes on where it was. */
  download(store: ObjectStore, request: DownloadRequest): Promise<Downloaded>;
  /** Ends what is under way; a download goes on with the next process. */
  close(): Promise<void>;
};

export type Address = { address: string; family: number };
/** All addresses of a name; gives up when the signal says so. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<Address[]>;

export type FetcherSettings = {
  /** Where whoever runs this installation can be reached: stands in the User-Agent. */
  contact: string;
  /** For tests: lets 127.0.0.0/8, ::1 and names of localhost through, on any port. */
  allowLoopback?: boolean;
  /** 80 and 443 unless given. */
  ports?: readonly number[];
  limits?: Partial<FetcherLimits>;
  /** The name servers of the system unless given. */
  resolve?: Resolve;
};

export type FetcherLimits = {
  connectMs: number;
  headersMs: number;
  idleMs: number;
  /** Of a fetch with all its redirects, waiting for a turn left out; of a download until its body begins. */
  wholeMs: number;
  headerBytes: number;
  redirects: number;
  /** Feeds that are asked for at once, and besides them files. */
  perHost: number;
  hostGapMs: number;
  /** Of one stored part of a download. */
  partBytes: number;
  /** Asked for again before the rest, to see that the file is the same. */
  overlapBytes: number;
  /** A download may take longer than `wholeMs` while it brings so many bytes a second. */
  slowestBytes: number;
  attempts: number;
  retryMs: number;
};
