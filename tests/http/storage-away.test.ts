import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { s3Store } from '~/server/adapters/storage/s3';
import type { App } from '~/server/http/app-env';
import { mountHealth } from '~/server/http/health';
import { createLog } from '~/server/watching/log';
import { requestAudio, serveAudio, storeSamples } from '../support/audio-door';
import { cast } from '../support/cast';
import { startS3Stub } from '../support/s3-stub';

const { runtime } = await cast();

/** A bucket with audio that no longer answers. */
async function loseStorage() {
  const stub = await startS3Stub();
  const logged: { level: string; msg: string }[] = [];
  const log = createLog('warn', { write: (line) => logged.push(JSON.parse(line)) });
  const store = s3Store({ ...stub, region: 'eu-west-1', forcePathStyle: true }, { log });
  const samples = await storeSamples(store);
  await stub.close();
  return { store, samples, logged };
}

test('without its storage, audio answers 503 and says when to try again', async () => {
  const { store, samples, logged } = await loseStorage();
  const door = await serveAudio(store, samples);
  onTestFinished(door.close);

  const answers = await Promise.all(samples.map(({ id }) => requestAudio(door, id)));

  expect(answers.map(({ status }) => status)).toEqual(samples.map(() => 503));
  expect(answers.map(({ headers }) => headers['retry-after'])).toEqual(samples.map(() => '10'));
  const warning = { level: 'warn', msg: 'the storage does not answer', err: { message: expect.any(String) } };
  // one for each file that audio consists of
  expect(logged.length).toBeGreaterThanOrEqual(samples.length);
  expect(logged).toMatchObject(logged.map(() => warning));
});

test('without its storage, a process stays in the load balancer, and says what is missing', async () => {
  const { store } = await loseStorage();
  const app: App = new Hono();
  mountHealth(app, { ...runtime, ports: { ...runtime.ports, storage: store } }, { stopping: false });

  const ready = await app.request('/readyz');

  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ ok: true, database: true, queue: true, storage: false });
});
