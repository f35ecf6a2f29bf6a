import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { s3Store } from '~/server/adapters/storage/s3';
import type { App } from '~/server/http/app-env';
import { mountHealth } from '~/server/http/health';
import { requestAudio, serveAudio, storeSamples } from '../support/audio-door';
import { cast } from '../support/cast';
import { startS3Stub } from '../support/s3-stub';

const { runtime } = await cast();

/** A bucket with audio that no longer answers. */
async function loseStorage() {
  const stub = await startS3Stub();
  const store = s3Store({ ...stub, region: 'eu-west-1', forcePathStyle: true });
  const samples = await storeSamples(store);
  await stub.close();
  return { store, samples };
}

test('without its storage, audio answers 503 and says when to try again', async () => {
  const { store, samples } = await loseStorage();
  const door = await serveAudio(store, samples);
  onTestFinished(door.close);

  const answers = await Promise.all(samples.map(({ id }) => requestAudio(door, id)));

  expect(answers.map(({ status }) => status)).toEqual(samples.map(() => 503));
  expect(answers.map(({ headers }) => headers['retry-after'])).toEqual(samples.map(() => '10'));
});

test('without its storage, a process stays in the load balancer, and says what is missing', async () => {
  const { store } = await loseStorage();
  const app: App = new Hono();
  mountHealth(app, { ...runtime, ports: { ...runtime.ports, storage: store } }, { stopping: false });

  const ready = await app.request('/readyz');

  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ ok: true, database: true, queue: true, storage: false });
});
