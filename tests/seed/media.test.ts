import sharp from 'sharp';
import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { indexMp3 } from '~/server/audio/indexing';
import { measure } from '~/server/audio/peaks';
import { pausesOf, proposedPauses } from '~/server/domain/insertions/rules';
import { drawAvatar, drawCover } from '~/server/seed/pictures';
import { synthesizeTune } from '~/server/seed/tunes';

test('a tune is a valid MP3 of the requested length and depends only on its seed', async () => {
  const tune = await synthesizeTune('first steps', 8);
  const again = await synthesizeTune('first steps', 8);
  const other = await synthesizeTune('second steps', 8);

  const verdict = await checkMp3(bufferSource(tune));

  expect(verdict).toMatchObject({ ok: true, channels: 1, constantBitrate: true, warnings: [] });
  expect(Math.abs((verdict.ok ? verdict.durationMs : 0) - 8000)).toBeLessThan(120);
  expect(tune.equals(again)).toBe(true);
  expect(tune.equals(other)).toBe(false);
});

test('a tune of an episode has pauses in which a clip can play, and one of a clip has none', async () => {
  const pausesIn = async (seed: string, seconds: number) => {
    const source = bufferSource(await synthesizeTune(seed, seconds));
    const found = await indexMp3(source);
    return found.ok ? pausesOf((await measure(source, found.index)).silences, seconds * 1000) : null;
  };

  const pauses = await pausesIn('long walk', 82);

  expect(pauses).toHaveLength(3);
  expect(proposedPauses(pauses ?? [], 82_000)).toHaveLength(1);
  expect(await pausesIn('jingle', 15)).toEqual([]);
});

test('covers and avatars are square images that depend only on their seed', async () => {
  const cover = await drawCover('hills', 'a');
  const avatar = await drawAvatar('lucia');

  expect(await sharp(cover).metadata()).toMatchObject({ format: 'jpeg', width: 1400, height: 1400 });
  expect(await sharp(avatar).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 640 });
  expect((await drawCover('hills', 'a')).equals(cover)).toBe(true);
});
