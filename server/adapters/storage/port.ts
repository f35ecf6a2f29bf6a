import type { Readable } from 'node:stream';

/** Large enough to make system calls negligible, small enough that each running response may hold one. */
export const CHUNK_BYTES = 256 * 1024;

/** Both ends are included: `{ start: 0, end: 0 }` is the first byte. */
export type ByteRange = { start: number; end: number };

export type StoredObject = {
  bytes: number;
  /** A strong validator, quotes included. */
  etag: string;
  modifiedAt: Date;
  contentType: string;
};

/** An object opened for reading. The caller must close it. */
export type OpenObject = StoredObject & {
  /** Fills `buffer` from byte `position`; returns the number of bytes read, 0 at the end. */
  readInto(buffer: Uint8Array, position: number): Promise<number>;
  /**
   * The bytes of a range, in chunks suitable for a socket. A chunk is valid until the next one is requested.
   * @param maxBytes called for each chunk; defaults to `CHUNK_BYTES`
   */
  chunks(range: ByteRange, maxBytes?: () => number): AsyncGenerator<Buffer, void>;
  /** Also cancels a running read from a remote store. */
  close(): Promise<void>;
};

export type ListedObject = { key: string; bytes: number; modifiedAt: Date };

/**
 * How a client uploads a file directly: POST is multipart with `fields` first and the file last, PUT is the raw bytes.
 */
export type FormUpload = {
  url: string;
  method: 'POST' | 'PUT';
  fields: Record<string, string>;
  headers: Record<string, string>;
};

/**
 * Stores files. Keys are paths of letters, digits, `.`, `_` and `-` (see keys.ts). Writes are atomic. For a missing
 * object,
 * `head` and `open` return null, other reads throw `ObjectMissing`, and `remove` succeeds.
 */
export type ObjectStore = {
  put(key: string, body: Readable | Buffer, options: { contentType: string; bytes?: number }): Promise<void>;
  head(key: string): Promise<StoredObject | null>;
  open(key: string): Promise<OpenObject | null>;
  read(key: string, range?: ByteRange): Promise<Readable>;
  move(from: string, to: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** At most `limit` objects whose keys start with `prefix`, in key order, starting after the key `after`. */
  list(prefix: string, limit: number, after?: string): Promise<ListedObject[]>;
  formUpload(key: string, options: { maxBytes: number; contentType: string; expiresAt: Date }): Promise<FormUpload>;
  /** Free space in bytes; null if unlimited. */
  freeBytes(): Promise<number | null>;
};
