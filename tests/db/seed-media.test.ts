import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawAvatar, drawCover } from '~/db/seed/pictures';
import { synthesizeTune } from '~/db/seed/tones';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';

test('a tune is a sound MP3 of the length asked for, the same for the same seed and another for another', async () => {
  const tune = await synthesizeTune('first steps', 8);
  const again = await synthesizeTune('first steps', 8);
  const other = await synthesizeTune('second steps', 8);

  const verdict = await checkMp3(bufferSource(tune));

  expect(verdict).toMatchObject({ ok: true, channels: 1, constantBitrate: true, warnings: [] });
  expect(Math.abs((verdict.ok ? verdict.durationMs : 0) - 8000)).toBeLessThan(120);
  expect(tune.equals(again)).toBe(true);
  expect(tune.equals(other)).toBe(false);
});

test('covers and avatars are square pictures, the same for the same seed', async () => {
  const cover = await drawCover('hills', 'a');
  const avatar = await drawAvatar('lucia');

  expect(await sharp(cover).metadata()).toMatchObject({ format: 'jpeg', width: 1400, height: 1400 });
  expect(await sharp(avatar).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 640 });
  expect((await drawCover('hills', 'a')).equals(cover)).toBe(true);
});
