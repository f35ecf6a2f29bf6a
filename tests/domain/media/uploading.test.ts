import { setTimeout as wait } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { uploads } from '~/db/schema/media';
import { AppError } from '~/server/base/errors';
import {
  consumeUpload,
  findUsableUpload,
  receiveUpload,
  requestFormUpload,
  requestUpload,
} from '~/server/domain/media/uploads';
import { type Ctx, transact } from '~/server/runtime/ctx';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';

const { runtime, clock, tom, make, ctxOf, visitorCtx } = await cast();
const ctx = ctxOf(tom);
const file = { fileName: 'ep.mp3', contentType: 'audio/mpeg', fileSize: 5, purpose: 'episode_audio' as const };
const asAudio = { purpose: 'episode_audio' as const };

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => null,
    (e: unknown) => e,
  );
  return error instanceof AppError ? `${error.code} on ${error.field}` : String(error);
}

async function receive(key: string, bytes = Buffer.from('sound')): Promise<string> {
  await runtime.ports.storage.put(`incoming/${key}`, bytes, { contentType: 'audio/mpeg' });
  return key;
}

test('a ticket contains the endpoint, the size and the expiry', async () => {
  const ticket = await requestUpload(ctx, file);

  expect(ticket).toEqual({
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
    endpoint: '/uploads/tus',
    fileSize: 5,
    expiresAt: new Date(clock.now.getTime() + 24 * 3_600_000),
  });
});

test('a form ticket contains a URL of the app', async () => {
  const ticket = await requestFormUpload(ctx, file);

  expect(ticket).toMatchObject({ method: 'POST', fields: {}, headers: {} });
  expect(ticket.url).toBe(`http://altavoz.localhost:3000/uploads/form/${ticket.key}`);
});

test('unsupported files and visitors get no ticket', async () => {
  expect(await codeOf(requestUpload(ctx, { ...file, fileName: 'ep.wav' }))).toBe('upload.other_format on fileName');
  expect(await codeOf(requestUpload(ctx, { ...file, fileSize: 400_000_000 }))).toBe(
    'upload.audio_too_large on fileSize',
  );
  expect(await codeOf(requestUpload(visitorCtx(), file))).toBe('common.unauthenticated on undefined');
});

test('a user may have twenty unused tickets; expired ones do not count', async () => {
  const eager = ctxOf(await make.person());
  for (let i = 0; i < 20; i += 1) await requestUpload(eager, file);
  const start = clock.now;

  const limited = await codeOf(requestUpload(eager, file));
  clock.now = new Date(start.getTime() + 24 * 3_600_000);
  const later = await codeOf(requestUpload(eager, file));
  clock.now = start;

  expect([limited, later]).toEqual(['upload.too_many_open on undefined', 'null']);
});

test('of many requests at once, only as many get a ticket as are left', async () => {
  const eager = ctxOf(await make.person());
  for (let i = 0; i < 17; i += 1) await requestUpload(eager, file);

  let asked: Promise<string>[] = [];
  await runtime.db.transaction(async (tx) => {
    // none can store its ticket before all have counted, or wait for each other
    await tx.execute(sql`lock table uploads in share mode`);
    asked = Array.from({ length: 6 }, () => codeOf(requestUpload(eager, file)));
    await lockWaits(runtime.db, 6);
  });

  expect((await Promise.all(asked)).filter((code) => code === 'null')).toHaveLength(3);
});

test('the pictures that an account uploads in a day are limited, used ones too, and its audio is not', async () => {
  const eager = ctxOf(await make.person());
  const picture = { fileName: 'c.png', contentType: 'image/png', fileSize: 1000, purpose: 'chapter_image' as const };
  const { key } = await requestUpload(eager, picture);
  const [made] = await runtime.db.select().from(uploads).where(eq(uploads.key, key));
  const used = Array.from({ length: 299 }, (_, i) => ({ ...made!, key: `${key}${i}`, usedAt: clock.now }));
  await runtime.db.insert(uploads).values(used);

  const limited = await codeOf(requestUpload(eager, { ...picture, purpose: 'cover' }));

  expect(limited).toBe('upload.too_many_pictures on undefined');
  expect(await codeOf(requestUpload(eager, file))).toBe('null');
});

test('a nearly full disk gives no ticket', async () => {
  const storage = { ...runtime.ports.storage, freeBytes: async () => 1_000_000_004 };
  const crowded: Ctx = { ...ctx, ports: { ...ctx.ports, storage } };

  expect(await codeOf(requestUpload(crowded, file))).toBe('upload.disk_full on undefined');
});

test('an upload is usable once all bytes are stored, also without a recorded receipt', async () => {
  const { key } = await requestUpload(ctx, file);

  expect(await codeOf(findUsableUpload(ctx, { key, ...asAudio }))).toBe('upload.incomplete on fileKey');
  await receive(key, Buffer.from('soun'));
  expect(await codeOf(findUsableUpload(ctx, { key, ...asAudio }))).toBe('upload.incomplete on fileKey');
  await receive(key);
  expect(await findUsableUpload(ctx, { key, ...asAudio })).toMatchObject({ key, fileName: 'ep.mp3' });
  await receiveUpload(ctx, key, 5);
  expect(await findUsableUpload(ctx, { key, ...asAudio })).toMatchObject({ receivedAt: clock.now });
});

test('a key works only for its owner and its purpose', async () => {
  const { key } = await requestUpload(ctx, file);
  await receive(key);
  const other = ctxOf(await make.person());

  expect(await codeOf(findUsableUpload(other, { key, ...asAudio }))).toBe('upload.not_found on fileKey');
  expect(await codeOf(findUsableUpload(ctx, { key, purpose: 'cover' }))).toBe('upload.not_found on coverKey');
  expect(await codeOf(findUsableUpload(ctx, { key: 'f'.repeat(32), ...asAudio }))).toBe('upload.not_found on fileKey');
});

test('a key works once, also for two concurrent uses', async () => {
  const { key } = await requestUpload(ctx, file);
  const upload = await findUsableUpload(ctx, { key: await receive(key), ...asAudio });
  const use = () =>
    transact(ctx, async (tx) => {
      await consumeUpload(tx, upload);
      await wait(50);
    });

  const results = await Promise.all([codeOf(use()), codeOf(use())]);

  expect(results.sort()).toEqual(['null', 'upload.used on fileKey']);
  expect(await codeOf(findUsableUpload(ctx, { key, ...asAudio }))).toBe('upload.used on fileKey');
});

test('an upload expires a day after its request', async () => {
  const { key, expiresAt } = await requestUpload(ctx, file);
  const upload = await findUsableUpload(ctx, { key: await receive(key), ...asAudio });
  const start = clock.now;

  clock.now = expiresAt;
  const found = await codeOf(findUsableUpload(ctx, { key, ...asAudio }));
  const used = await codeOf(transact(ctx, (tx) => consumeUpload(tx, upload)));
  clock.now = start;

  expect([found, used]).toEqual(['upload.expired on fileKey', 'upload.expired on fileKey']);
});

test.each([
  ['cover', 'coverKey'],
  ['avatar', 'avatarKey'],
] as const)('a used %s is reported on the field %s', async (purpose, field) => {
  const picture = { fileName: 'me.png', contentType: 'image/png', fileSize: 5, purpose };
  const { key } = await requestUpload(ctx, picture);
  const upload = await findUsableUpload(ctx, { key: await receive(key), purpose });
  await transact(ctx, (tx) => consumeUpload(tx, upload));

  expect(await codeOf(transact(ctx, (tx) => consumeUpload(tx, upload)))).toBe(`upload.used on ${field}`);
});

test('a failed transaction leaves the key unused', async () => {
  const { key } = await requestUpload(ctx, file);
  const upload = await findUsableUpload(ctx, { key: await receive(key), ...asAudio });

  await transact(ctx, async (tx) => {
    await consumeUpload(tx, upload);
    throw new Error('something else');
  }).catch(() => {});

  expect(await findUsableUpload(ctx, { key, ...asAudio })).toMatchObject({ key });
});

test('bytes that arrive after an upload was used do not change it', async () => {
  const { key } = await requestUpload(ctx, file);
  const upload = await findUsableUpload(ctx, { key: await receive(key), ...asAudio });
  await transact(ctx, (tx) => consumeUpload(tx, upload));

  await receiveUpload(ctx, key, 99);

  const [row] = await runtime.db.select().from(uploads).where(eq(uploads.key, key));
  expect(row).toMatchObject({ byteSize: 5, receivedAt: null, usedAt: clock.now });
});
