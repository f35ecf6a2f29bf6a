import { expect, test } from 'vitest';
import { createPlaces } from '~/server/flow/slots';

const setUp = () => createPlaces({ total: 3, perKey: 2, busy: () => new Error('busy') });
function hanging() {
  let end = () => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end: () => end(), work: () => work };
}

test('works of one key leave places to those of others, and no work waits', async () => {
  const withPlace = setUp();
  const slow = hanging();
  const running = [withPlace('slow', slow.work), withPlace('slow', slow.work)];

  await expect(withPlace('slow', slow.work)).rejects.toThrow('busy');
  expect(await withPlace('other', async () => 'read')).toBe('read');
  running.push(withPlace('third', slow.work));
  await expect(withPlace('other', async () => 'read')).rejects.toThrow('busy');

  slow.end();
  await Promise.all(running);
  expect(await withPlace('slow', async () => 'read')).toBe('read');
});

test('a work that fails frees its place', async () => {
  const withPlace = setUp();
  for (let i = 0; i < 5; i += 1)
    await expect(withPlace('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});
