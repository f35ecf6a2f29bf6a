import { expect, test } from 'vitest';
import { type ByteSource, bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { frames, id3v1, id3v2, noise, xingFrame } from '../support/mp3';

/** A source that returns at most `step` bytes per read. */
function slowSource(bytes: Buffer, step: number): ByteSource {
  return {
    size: bytes.length,
    async read(into, position) {
      const part = bytes.subarray(position, position + Math.min(step, into.length));
      into.set(part);
      return part.length;
    },
  };
}

function mutate(file: Buffer, seed: number): Buffer {
  const random = noise(64, seed);
  const copy = Buffer.from(file);
  for (let i = 0; i < 24; i++) copy[random.readUInt16BE(i) % copy.length] = random[i + 30]!;
  const cut = random.readUInt16BE(60) % copy.length;
  return seed % 3 === 0 ? copy.subarray(0, cut) : seed % 3 === 1 ? Buffer.concat([copy, noise(cut % 900, seed)]) : copy;
}

test('a corrupt file never throws, and the result does not depend on how the bytes arrive', async () => {
  const file = Buffer.concat([id3v2(300), xingFrame('Info', { frames: 60 }), frames(60), noise(300), id3v1()]);

  for (let seed = 1; seed <= 400; seed++) {
    const broken = mutate(file, seed);
    const whole = await checkMp3(bufferSource(broken));
    const inSteps = await checkMp3(slowSource(broken, 1 + (seed % 700)));

    expect(inSteps).toEqual(whole);
  }
});

test('frames across a window boundary are all counted', async () => {
  const count = 3 * Math.ceil((512 * 1024) / 417) + 7;

  const verdict = await checkMp3(bufferSource(frames(count)));

  expect(verdict).toMatchObject({ ok: true, frames: count, warnings: [] });
});

test('junk larger than the window is skipped', async () => {
  const audio = frames(30_000);

  const verdict = await checkMp3(bufferSource(Buffer.concat([audio, noise(600_000), audio])));

  expect(verdict).toMatchObject({ ok: true, frames: 60_000, junkBytes: 600_000 });
});

test('an hour is checked completely', async () => {
  const verdict = await checkMp3(bufferSource(frames(137_814)));

  expect(verdict).toMatchObject({ ok: true, samples: 137_814 * 1152, durationMs: 3_600_039 });
});
