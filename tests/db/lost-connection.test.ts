import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { isLateWrite } from '~/db/driver/lost-connection';
import { databaseProxy } from '../support/database-proxy';
import { testDatabase } from '../support/db';

test('the driver’s late write to a lost connection is told from other errors', async () => {
  const { url } = await testDatabase();
  const proxy = await databaseProxy(url);
  onTestFinished(proxy.close);
  // removed even if the error never comes: the listener would hide errors of later tests in this process
  onTestFinished(() => process.setUncaughtExceptionCaptureCallback(null));
  const thrown = new Promise<Error>((resolve) => process.setUncaughtExceptionCaptureCallback(resolve));
  let write = () => {};
  // without our guards: `onclose` runs at the moment when the connection is lost
  const client = postgres(proxy.url, { max: 1, onclose: () => write() });
  const reserved = await client.reserve();
  await reserved`select 1`;
  write = () => void reserved`select 2`.catch(() => {});

  await proxy.refuse();
  const error = await thrown;

  expect(isLateWrite(error)).toBe(true);
  expect(isLateWrite(new TypeError(error.message))).toBe(false);
});

test.each([null, undefined, 'text', { status: 404 }])(
  '%o, which is no error but was thrown, is no late write of the driver',
  (thrown) => {
    expect(isLateWrite(thrown)).toBe(false);
  },
);
