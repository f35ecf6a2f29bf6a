import type { Socket } from 'node:net';
import { CHUNK_BYTES } from '../adapters/storage/port';

/** Four times as many bytes for each system call and each turn of the event loop. */
const LARGE_CHUNK_BYTES = 4 * CHUNK_BYTES;
/** 5 MB/s: at this speed, a large chunk takes 200 ms. */
const FAST_BYTES_PER_MS = CHUNK_BYTES / 50;

const fast = new WeakSet<Socket>();

/**
 * The largest chunk to send next. A chunk that the client receives only in part is not counted, so large chunks are
 * only for connections that took their previous chunk quickly, even in an earlier response.
 */
export function maxChunkBytes(socket: Socket | null): number {
  return socket && fast.has(socket) ? LARGE_CHUNK_BYTES : CHUNK_BYTES;
}

/**
 * Remembers how long the operating system took to accept `bytes`. Smaller pieces than a chunk say little about a
 * connection.
 */
export function rememberSpeed(socket: Socket | null, bytes: number, ms: number): void {
  if (!socket || bytes < CHUNK_BYTES) return;
  if (bytes > ms * FAST_BYTES_PER_MS) fast.add(socket);
  else fast.delete(socket);
}
