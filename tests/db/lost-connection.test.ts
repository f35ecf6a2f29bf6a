import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { isLateWrite } from '~/db/driver/lost-connection';
import { databaseProxy } from '../support/database-proxy';
import { testDatabase } from '../support/db';

test('the driver’s late write to a lost connection is told from other errors', async () => {
  const { url } = await testDatabase();
  const proxy = await databaseProxy(url);
  onTestFinished(proxy.close);
  // also if the error never comes: it would hide the errors of the tests that run in this process afterwards
  onTestFinished(() => process.setUncaughtExceptionCaptureCallback(null));
  const thrown = new Promise<Error>((resolve) => process.setUncaughtExceptionCaptureCallback(resolve));
  let write = () => {};
  // without our guards: `onclose` runs in the moment in which the connection is lost
  const client = postgres(proxy.url, { max: 1, onclose: () => write() });
  const reserved = await client.reserve();
  await reserved`select 1`;
  write = () => void reserved`select 2`.catch(() => {});

  await proxy.refuse();
  const error = await thrown;

  expect(isLateWrite(error)).toBe(true);
  expect(isLateWrite(new TypeError(error.message))).toBe(false);
});
