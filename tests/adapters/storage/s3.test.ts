import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { s3Store } from '~/server/adapters/storage/s3';
import { until } from '../../support/audio-door';
import { startS3Stub } from '../../support/s3-stub';
import { storageSuite } from './storage.suite';

const stub = await startS3Stub();
afterAll(() => stub.close());

const settings = {
  bucket: stub.bucket,
  endpoint: stub.endpoint,
  region: 'eu-west-1',
  forcePathStyle: true,
  credentials: stub.credentials,
};
const warnings: string[] = [];
const warn = ({ message }: Error) => void warnings.push(message);
process.on('warning', warn);
afterAll(() => void process.off('warning', warn));
// the SDK warns once per process, of Node 20
const store = s3Store(settings);

storageSuite('s3', async () => store);

test('s3: the SDK writes no advice about Node into our log', async () => {
  await store.head('audio/nothing.mp3');

  expect(warnings).toEqual([]);
});

test('s3: a wrong secret is rejected', async () => {
  const unauthorized = s3Store({ ...settings, credentials: { ...stub.credentials, secretAccessKey: 'guessed' } });

  await expect(unauthorized.put('audio/x.mp3', Buffer.from('x'), { contentType: 'audio/mpeg' })).rejects.toThrow();
});

test('s3: a failed upload leaves no parts', () => {
  expect(stub.openMultiparts()).toBe(0);
});

test('s3: many small reads cause few requests', async () => {
  await store.put('audio/steps.mp3', Buffer.alloc(1_000_000), { contentType: 'audio/mpeg' });
  const object = (await store.open('audio/steps.mp3'))!;
  const before = stub.log.length;

  for (let at = 0; at < 1_000_000; at += 10_000) await object.readInto(Buffer.alloc(10_000), at);

  expect(stub.log.length - before).toBe(1);
});

test('s3: a read without data times out, and closing cancels a running read', async () => {
  await store.put('audio/silent.mp3', Buffer.alloc(1_000_000), { contentType: 'audio/mpeg' });
  const hasty = s3Store(settings, { silenceMs: 200 });
  const object = (await hasty.open('audio/silent.mp3'))!;
  const patient = (await store.open('audio/silent.mp3'))!;
  stub.stall = { method: 'GET', afterBytes: 1000 };

  await expect(object.readInto(Buffer.alloc(10), 0)).rejects.toThrow('the store stopped sending data');
  await expect(hasty.read('audio/silent.mp3').then(buffer)).rejects.toThrow('the store stopped sending data');
  const waiting = patient.readInto(Buffer.alloc(10), 0).catch(String);
  await until(() => stub.openRequests() === 1);
  await patient.close();

  expect(await waiting).toMatch(/aborted/);
  await until(() => stub.openRequests() === 0);
  expect(stub.openRequests()).toBe(0);
  stub.stall = null;
});

async function sendForm(maxBytes: number, body: string, change: Record<string, string> = {}, secondsLeft = 60) {
  const expiresAt = new Date(Date.now() + secondsLeft * 1000);
  const upload = await store.formUpload('incoming/form', { maxBytes, contentType: 'audio/mpeg', expiresAt });
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...upload.fields, ...change })) form.append(name, value);
  form.append('file', new Blob([body]), 'x.mp3');
  return fetch(upload.url, { method: upload.method, body: form });
}

test('s3: a signed form accepts only its size, type and key', async () => {
  const accepted = await sendForm(10, '0123456789');
  const tooLarge = await sendForm(9, '0123456789');
  const otherType = await sendForm(10, 'x', { 'Content-Type': 'text/html' });
  const otherKey = await sendForm(10, 'x', { key: 'audio/stolen.mp3' });

  expect([accepted.status, tooLarge.status, otherType.status, otherKey.status]).toEqual([204, 400, 403, 403]);
  expect(await tooLarge.text()).toContain('EntityTooLarge');
  expect(await store.head('incoming/form')).toMatchObject({ bytes: 10, contentType: 'audio/mpeg' });
});
