import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { AppError } from '~/server/base/errors';
import { storeCover, storePicture } from '~/server/domain/media/covers';
import { coverUrls } from '~/server/domain/media/rules';
import { findUsableUpload } from '~/server/domain/media/uploads';
import { COVER_LIMITS } from '~/server/limits/media';
import { cast } from '../../support/cast';
import { noise } from '../../support/mp3';
import { picture } from '../../support/pictures';

const { runtime, tom, make, ctxOf } = await cast();
const ctx = ctxOf(tom);

async function store(bytes: Buffer, purpose: 'cover' | 'avatar' = 'cover'): Promise<string> {
  const key = await make.upload(tom, purpose, bytes);
  return storeCover(ctx, await findUsableUpload(ctx, { key, purpose }));
}

async function rejection(bytes: Buffer): Promise<unknown> {
  const error = await store(bytes).catch((e: unknown) => e);
  return error instanceof AppError ? { code: error.code, field: error.field, ...error.params } : error;
}

const stored = async (key: string) => buffer(await runtime.ports.storage.read(key));

async function sizeOf(key: string) {
  const { format, width, height } = await sharp(await stored(key)).metadata();
  return [format, width, height];
}

test('a picture is stored as a JPEG and four WebP sizes, none larger than the original', async () => {
  const base = await store(await picture(1600));
  const { jpg, webp } = coverUrls(base);
  const sizes = await Promise.all([jpg, ...Object.values(webp)].map((url) => sizeOf(url.replace('/media/', ''))));

  expect(base).toMatch(new RegExp(`^images/${tom.id}/[0-9a-f]{64}$`));
  expect(sizes).toEqual([
    ['jpeg', 1600, 1600],
    ['webp', 96, 96],
    ['webp', 320, 320],
    ['webp', 640, 640],
    ['webp', 1400, 1400],
  ]);
});

test('a picture larger than 3000 pixels is reduced to 3000', async () => {
  const base = await store(await picture(3400));

  expect(await sizeOf(`${base}/full.jpg`)).toEqual(['jpeg', 3000, 3000]);
});

test('the same picture is stored once, and one pixel off square is accepted', async () => {
  const first = await store(await picture(1501, 1500));
  const before = await runtime.ports.storage.head(`${first}/full.jpg`);

  const second = await store(await picture(1501, 1500), 'avatar');

  expect(second).toBe(first);
  expect(await runtime.ports.storage.head(`${first}/full.jpg`)).toEqual(before);
  expect(await sizeOf(`${first}/full.jpg`)).toEqual(['jpeg', 1500, 1500]);
});

test('a rotated photo is turned upright, and its metadata is removed', async () => {
  const upright = sharp({ create: { width: 1400, height: 1400, channels: 3, background: '#000' } });
  const marked = upright.composite([
    { input: { create: { width: 1400, height: 350, channels: 3, background: '#fff' } }, top: 0, left: 0 },
  ]);
  const place = { GPSLatitudeRef: 'N', GPSLatitude: '39/1 28/1 0/1' };
  const exif = { IFD0: { Copyright: 'Tom', Orientation: '6' }, IFD3: place };
  const base = await store(await marked.jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer());

  const turned = await stored(`${base}/full.jpg`);
  const { data, info } = await sharp(turned).raw().toBuffer({ resolveWithObject: true });
  const brightness = (x: number, y: number) => data[(y * info.width + x) * info.channels]!;

  for (const url of ['full.jpg', '96.webp', '320.webp', '640.webp', '1400.webp']) {
    const { exif: kept, xmp, iptc } = await sharp(await stored(`${base}/${url}`)).metadata();
    expect([kept, xmp, iptc], url).toEqual([undefined, undefined, undefined]);
  }
  expect([brightness(1330, 700) > 200, brightness(70, 700) < 50]).toEqual([true, true]);
});

test('an unusable picture is rejected with a reason', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"/>');
  const png = await picture();

  expect(await rejection(await picture(1500, 1400))).toEqual({ code: 'media.not_square', field: 'coverKey' });
  expect(await rejection(await picture(1399))).toEqual({ code: 'media.too_small', field: 'coverKey', min: 1400 });
  expect(await rejection(noise(5000))).toEqual({ code: 'media.not_a_picture', field: 'coverKey' });
  expect(await rejection(svg)).toEqual({ code: 'media.not_a_picture', field: 'coverKey' });
  expect(await rejection(png.subarray(0, png.length / 2))).toEqual({ code: 'media.not_a_picture', field: 'coverKey' });
  expect(await rejection(await sharp(png).webp().toBuffer())).toEqual({
    code: 'media.not_a_picture',
    field: 'coverKey',
  });
});

test('a small picture is a good avatar, but no cover, even if it is stored already', async () => {
  const small = await picture(500);
  await store(small, 'avatar');

  expect(await rejection(small)).toEqual({ code: 'media.too_small', field: 'coverKey', min: 1400 });
});

/** A small JPEG whose header states another size, which only decoding would disprove. */
async function claimingSize(size: number): Promise<Buffer> {
  const jpeg = await sharp(await picture())
    .jpeg()
    .toBuffer();
  const frame = jpeg.indexOf(Buffer.of(0xff, 0xc0));
  jpeg.writeUInt16BE(size, frame + 5);
  jpeg.writeUInt16BE(size, frame + 7);
  return jpeg;
}

test('a picture above 25 megapixels is rejected before decoding, and one just below is stored', async () => {
  const tooMany = { code: 'media.too_many_pixels', field: 'coverKey', max: 25 };

  expect(await rejection(await claimingSize(9000))).toEqual(tooMany);
  expect(await rejection(await claimingSize(5001))).toEqual(tooMany);
  expect(await sizeOf(`${await store(await picture(5000))}/full.jpg`)).toEqual(['jpeg', 3000, 3000]);
});

test('one picture is processed at a time, the next one from storage on', async () => {
  const { storage } = runtime.ports;
  const keys = [
    await make.upload(tom, 'cover', await picture(1410)),
    await make.upload(tom, 'cover', await picture(1420)),
  ];
  const events: string[] = [];
  const read: typeof storage.read = async (key) => {
    events.push(`read ${keys.findIndex((name) => key.endsWith(name))}`);
    return storage.read(key);
  };
  const put: typeof storage.put = async (key, ...rest) => {
    await storage.put(key, ...rest);
    if (key.endsWith('full.jpg')) events.push('stored');
  };
  const watched = { ...ctx, ports: { ...ctx.ports, storage: { ...storage, read, put } } };

  const uploads = await Promise.all(keys.map((key) => findUsableUpload(ctx, { key, purpose: 'cover' })));
  await Promise.all(uploads.map((upload) => storeCover(watched, upload)));

  expect(events).toEqual(['read 0', 'stored', 'read 1', 'stored']);
});

test('a picture embedded in audio is cropped to its centre square', async () => {
  const base = await storePicture(ctx, await picture(800, 500), {
    folder: 7,
    field: 'coverKey',
    crop: true,
    minPixels: COVER_LIMITS.minPixels,
  });

  expect(await sizeOf(`${base}/full.jpg`)).toEqual(['jpeg', 500, 500]);
});
