import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bufferSource } from '~/server/audio/bytes';
import { openDecoder } from '~/server/audio/decode';
import { readFrames } from '~/server/audio/frame-reader';
import { indexMp3 } from '~/server/audio/indexing';
import type { Recording, Rendition } from '~/server/audio/splice';
import { run } from './tools';

/** A file in memory as the splicer wants it; `key` also stands for its content. */
export async function recordingOf(key: string, file: Buffer): Promise<Recording> {
  const source = bufferSource(file);
  const found = await indexMp3(source);
  if (!found.ok) throw new Error(`${found.reason}: ${found.detail}`);
  return { key, sha256: key, index: found.index, source };
}

export function assembled({ segments }: Pick<Rendition, 'segments'>, files: Record<string, Buffer>): Buffer {
  return Buffer.concat(
    segments.map(({ from, bytes }) =>
      'memory' in from ? from.memory : files[from.key]!.subarray(from.start, from.start + bytes),
    ),
  );
}

/** Every frame as mpg123 decodes it, and whatever it complains of. */
export async function decoded(file: Buffer) {
  const { source, index } = await recordingOf('x', file);
  const decoder = await openDecoder(index.channels);
  const errors: string[] = [];
  const parts: Float32Array[][] = [];
  for await (const { bytes } of readFrames(source, index)) {
    const pcm = decoder.decode(bytes);
    errors.push(...pcm.errors);
    parts.push(pcm.channels);
  }
  decoder.free();
  const samples = parts.reduce((sum, [left]) => sum + left!.length, 0);
  const channels = Array.from({ length: index.channels }, (_, c) => {
    const all = new Float32Array(samples);
    let at = 0;
    for (const part of parts) {
      all.set(part[c]!, at);
      at += part[c]!.length;
    }
    return all;
  });
  return { index, channels, samples, errors };
}

/**
 * What FFmpeg makes of a file: samples per channel, and everything it says at the level of warnings. From a pipe it could not
 * know the size, and would complain of that.
 */
export async function decodedByFfmpeg(path: string, file: Buffer, channels: 1 | 2) {
  const place = join(tmpdir(), `altavoz-${randomUUID()}.mp3`);
  await writeFile(place, file);
  try {
    const input = ['-hide_banner', '-v', 'warning', '-threads', '1', '-f', 'mp3', '-i', place];
    const { out, messages } = await run(path, [...input, '-f', 's16le', 'pipe:1'], Buffer.alloc(0));
    return { samples: out.length / 2 / channels, messages: messages.trim() };
  } finally {
    await rm(place);
  }
}
