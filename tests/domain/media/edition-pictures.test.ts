import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { isStoredPicture } from '~/server/edition/picture-path';
import { cast } from '../../support/cast';
import '../../support/matchers';
import { picture } from '../../support/pictures';

const { runtime, lucia, ada, tom, make } = await cast();

async function store(bytes: Buffer) {
  const key = await make.upload(lucia, 'edition_picture', bytes);
  return lucia.api.media.storeEditionPicture({ key });
}

async function metadataOf(src: string) {
  const bytes = await buffer(await runtime.ports.storage.read(src.replace('/media/', '')));
  return sharp(bytes).metadata();
}

test('a picture is stored as a JPEG of the width of an email, at an address that editions may contain', async () => {
  const stored = await store(await picture(2400, 1000));

  expect(stored).toEqual({ src: expect.stringContaining(`/media/images/${lucia.id}/`), width: 1200, height: 500 });
  expect(isStoredPicture(stored.src)).toBe(true);
  expect(await metadataOf(stored.src)).toMatchObject({ format: 'jpeg', width: 1200, height: 500 });
});

test('a small picture stays small, and a transparent one is a PNG', async () => {
  const create = { width: 40, height: 20, channels: 4 as const, background: { r: 1, g: 2, b: 3, alpha: 0.5 } };
  const stored = await store(await sharp({ create }).webp().toBuffer());

  expect(stored).toMatchObject({ width: 40, height: 20 });
  expect(await metadataOf(stored.src)).toMatchObject({ format: 'png', hasAlpha: true });
});

test('a photo is turned upright and tells no place', async () => {
  const create = { width: 100, height: 50, channels: 3 as const, background: '#123456' };
  const photo = await sharp({ create })
    .jpeg()
    .withExif({ IFD3: { GPSLatitude: '40/1' } })
    .withMetadata({ orientation: 6 });
  const stored = await store(await photo.toBuffer());

  expect(stored).toMatchObject({ width: 50, height: 100 });
  expect((await metadataOf(stored.src)).exif).toBeUndefined();
});

test.each([
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a broken PNG', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)])],
])('%s is no picture for an edition', async (_, bytes) => {
  await expect(store(bytes)).toFailWith('media.not_a_picture');
});

test('a picture with too many pixels is not decoded', async () => {
  await expect(store(await picture(6000, 5000))).toFailWith('media.too_many_pixels');
});

test('an upload is used once, and only by its user', async () => {
  const key = await make.upload(lucia, 'edition_picture', await picture(300));

  await expect(ada.api.media.storeEditionPicture({ key })).toFailWith('upload.not_found');
  await expect(tom.api.media.storeEditionPicture({ key })).toFailWith('common.not_authorized');
  await lucia.api.media.storeEditionPicture({ key });
  await expect(lucia.api.media.storeEditionPicture({ key })).toFailWith('upload.used');
});
