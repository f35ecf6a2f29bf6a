import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { cast } from '../support/cast';
import { lameFrames } from '../support/encodings';
import { frames } from '../support/mp3';

const folder = await mkdtemp(join(tmpdir(), 'altavoz-ffmpeg-'));
afterAll(() => rm(folder, { recursive: true }));

/** A fake FFmpeg that stores its input and writes known output. */
const program = join(folder, 'ffmpeg');
const made = frames(100, { kbps: 56 });
await writeFile(join(folder, 'made.mp3'), made);
await writeFile(program, `#!/bin/sh\ncat > ${folder}/input.pcm && cat ${folder}/made.mp3\n`, { mode: 0o755 });

const clip = bufferSource(await lameFrames({ sampleRate: 44_100, channels: 1, seconds: 2 }, { bitrate: 64 }));
const target = { version: 1, sampleRate: 44_100, channels: 2, bitrate: 56_000, lufs: null } as const;

test('clips are encoded by the FFmpeg in FFMPEG_PATH', async () => {
  const { runtime } = await cast({ empty: true, settings: { FFMPEG_PATH: program } });

  const conformed = await runtime.ports.conformClip(clip, target);

  expect(conformed).toMatchObject({ ok: true, bitrate: 56_000, otherBitrate: null });
  expect(conformed.ok && Buffer.from(conformed.mp3)).toEqual(made);
});

test('without FFmpeg, an unsupported bit rate is replaced and reported', async () => {
  const { runtime } = await cast({ empty: true });

  const conformed = await runtime.ports.conformClip(clip, target);

  expect(conformed).toMatchObject({ ok: true, bitrate: 64_000, otherBitrate: 'encoder' });
});
