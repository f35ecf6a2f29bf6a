import { expect, test } from 'vitest';
import { openOnce } from '~/server/flow/open-once';

/** Opens `mail 1`, `mail 2`, …; the first `failures` attempts fail. */
function openable(failures: number) {
  let attempts = 0;
  return openOnce(async () => {
    attempts += 1;
    if (attempts <= failures) throw new Error(`failure ${attempts}`);
    return `mail ${attempts}`;
  });
}

test('concurrent and later uses share what the first one opened', async () => {
  const mail = openable(0);

  expect(await Promise.all([mail.get(), mail.get()])).toEqual(['mail 1', 'mail 1']);
  expect(await mail.get()).toBe('mail 1');
});

test('after a failure, the next use opens again', async () => {
  const mail = openable(1);

  const both = await Promise.allSettled([mail.get(), mail.get()]);

  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await mail.get()).toBe('mail 2');
});

test('only what was opened is closed', async () => {
  const closed: string[] = [];
  const [unused, failed, used] = [openable(0), openable(1), openable(0)];
  await expect(failed.get()).rejects.toThrow('failure 1');
  await used.get();

  for (const mail of [unused, failed, used]) await mail.ifOpened((value) => closed.push(value));

  expect(closed).toEqual(['mail 1']);
});
