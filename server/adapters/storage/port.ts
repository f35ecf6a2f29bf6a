import type { Readable } from 'node:stream';

/** Both ends count: `{ start: 0, end: 0 }` is the first byte. */
export type ByteRange = { start: number; end: number };

export type StoredObject = {
  bytes: number;
  /** A strong validator, quotes included. */
  etag: string;
  modifiedAt: Date;
  contentType: string;
};

/** An object held open for reading; whoever opens it closes it. */
export type OpenObject = StoredObject & {
  /** Fills `buffer` from the byte `position` on; answers how many bytes it got, 0 at the end. */
  readInto(buffer: Uint8Array, position: number): Promise<number>;
  /** The bytes of a range in order, in pieces fit for a socket. A piece is valid until the next one is asked for. */
  chunks(range: ByteRange): AsyncGenerator<Buffer, void>;
  /** Also ends what is still being read where that can take long. */
  close(): Promise<void>;
};

export type ListedObject = { key: string; bytes: number; modifiedAt: Date };

/** How a client sends a file by itself: POST is multipart with `fields` first and the file last, PUT is the bare bytes. */
export type FormUpload = {
  url: string;
  method: 'POST' | 'PUT';
  fields: Record<string, string>;
  headers: Record<string, string>;
};

/**
 * Where files live. Keys are paths of letters, digits, `.`, `_` and `-` (see keys.ts). An object appears whole or not at
 * all. Reading what is not there answers null (`head`, `open`) or throws `ObjectMissing`; removing it is no error.
 */
export type ObjectStore = {
  put(key: string, body: Readable | Buffer, options: { contentType: string; bytes?: number }): Promise<void>;
  head(key: string): Promise<StoredObject | null>;
  open(key: string): Promise<OpenObject | null>;
  read(key: string, range?: ByteRange): Promise<Readable>;
  move(from: string, to: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** At most `limit` objects whose keys begin with `prefix`, in the order of their keys; with `after`, those behind it. */
  list(prefix: string, limit: number, after?: string): Promise<ListedObject[]>;
  formUpload(key: string, options: { maxBytes: number; contentType: string; expiresAt: Date }): Promise<FormUpload>;
  /** Bytes left to write; null where that is not a question. */
  freeBytes(): Promise<number | null>;
};
