import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bufferSource } from '~/server/audio/bytes';
import { openDecoder } from '~/server/audio/decode';
import { readFrames } from '~/server/audio/frame-reader';
import { indexMp3 } from '~/server/audio/indexing';
import type { Recording, Rendition } from '~/server/audio/splice';
import { runTool } from './tools';

/** A file in memory as input of `splice`; its key also serves as its content hash. */
export async function recordingOf(key: string, file: Buffer): Promise<Recording> {
  const source = bufferSource(file);
  const result = await indexMp3(source);
  if (!result.ok) throw new Error(`${result.reason}: ${result.detail}`);
  return { key, sha256: key, index: result.index, source };
}

export function assembleRendition({ segments }: Pick<Rendition, 'segments'>, files: Record<string, Buffer>): Buffer {
  return Buffer.concat(
    segments.map(({ from, bytes }) =>
      'memory' in from ? from.memory : files[from.key]!.subarray(from.start, from.start + bytes),
    ),
  );
}

/** Decodes every frame with mpg123. Returns the samples and mpg123's errors. */
export async function decodeWithMpg123(file: Buffer) {
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
 * Decodes a file with FFmpeg. Returns the samples per channel, and all warnings and errors. The file is not piped in,
 * because FFmpeg would warn about the unknown size.
 */
export async function decodeWithFfmpeg(path: string, file: Buffer, channels: 1 | 2) {
  const place = join(tmpdir(), `altavoz-${randomUUID()}.mp3`);
  await writeFile(place, file);
  try {
    const input = ['-hide_banner', '-v', 'warning', '-threads', '1', '-f', 'mp3', '-i', place];
    const { out, messages } = await runTool(path, [...input, '-f', 's16le', 'pipe:1'], Buffer.alloc(0));
    return { samples: out.length / 2 / channels, messages: messages.trim() };
  } finally {
    await rm(place);
  }
}
