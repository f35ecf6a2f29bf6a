import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ByteSource } from '~/server/audio/bytes';
import { lameFrames } from '~/tests/support/encodings';

export const FOLDER = join(tmpdir(), 'altavoz-bench');
const FORM = { sampleRate: 44_100, channels: 2 } as const;

/** Sixty minutes of stereo: one encoded minute, repeated. Its first frame borrows no bytes, so it can be repeated. */
export async function hourFile(kind: 'cbr' | 'vbr'): Promise<string> {
  const rate = kind === 'cbr' ? { bitrate: 128 } : { vbrQuality: 4 };
  return createOnce(`hour-${kind}.mp3`, async () => {
    const minute = await lameFrames({ ...FORM, seconds: 60 }, rate);
    return Buffer.concat(Array.from({ length: 60 }, () => minute));
  });
}

export function clipFile(seconds: number): Promise<string> {
  return createOnce(`clip-${seconds}.mp3`, () => lameFrames({ ...FORM, seconds, seed: 3 }, { bitrate: 128 }));
}

async function createOnce(name: string, make: () => Promise<Buffer>): Promise<string> {
  const path = join(FOLDER, name);
  await mkdir(FOLDER, { recursive: true });
  if (!(await stat(path).catch(() => null))) await writeFile(path, await make());
  return path;
}

export async function fileSource(path: string): Promise<ByteSource & { close(): Promise<void> }> {
  const handle = await open(path);
  const { size } = await handle.stat();
  return {
    size,
    read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
    close: () => handle.close(),
  };
}
