/**
 * The audio engine's input: a file, a stored object, a buffer. `read` fills `into` from the absolute byte
 * `position` and returns the number of bytes written; 0 means the end.
 */
export type ByteSource = {
  size: number;
  read(into: Uint8Array, position: number): Promise<number>;
};

/** The part of the source in memory: `bytes[0]` is byte `base` of the source, and `length` bytes are valid. */
export type Window = { source: ByteSource; bytes: Uint8Array; base: number; length: number };

const WINDOW_BYTES = 512 * 1024;

export function openWindow(source: ByteSource): Window {
  return { source, bytes: new Uint8Array(Math.min(WINDOW_BYTES, source.size)), base: 0, length: 0 };
}

export function holdsBytes(window: Window, position: number, count: number): boolean {
  return position >= window.base && position + count <= window.base + window.length;
}

/** Loads `count` bytes from `position` into memory, or fewer if the source ends earlier. */
export async function loadWindow(window: Window, position: number, count: number): Promise<void> {
  if (holdsBytes(window, position, Math.min(count, window.source.size - position))) return;
  window.base = position;
  window.length = await readFully(window.source, window.bytes, position);
}

/** A copy of `count` bytes at `position`, shorter only at the end of the source. */
export async function readSlice(source: ByteSource, position: number, count: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, Math.min(count, source.size - position)));
  return bytes.subarray(0, await readFully(source, bytes, position));
}

/** Fills `into` from `position`. @returns the number of bytes read, fewer only at the end of the source */
export async function readFully(source: ByteSource, into: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const count = await source.read(into.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

export function bufferSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    async read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
  };
}

/** Whether the ASCII `text` is at `at`. */
export function hasTextAt(bytes: Uint8Array, at: number, text: string): boolean {
  if (at < 0 || at + text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

export function uint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
