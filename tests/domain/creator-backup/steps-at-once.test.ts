import { Readable } from 'node:stream';
import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creatorBackups } from '~/db/schema/creator-backup';
import { outbox } from '~/db/schema/notifications';
import { HOURS, later, MINUTES } from '~/server/base/time';
import { buildCreatorBackup } from '~/server/domain/creator-backup/build-backup';
import { eraseCreatorBackup, sweepCreatorBackups } from '~/server/domain/creator-backup/sweep-backups';
import { CREATOR_BACKUP_LIMITS } from '~/server/limits/creator-backup';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';

const { runtime, clock, make, pauseAt } = await cast({ empty: true });
const { db } = runtime;
const ctx = systemCtx(runtime, 'archives.build');
const rowOf = async (id: string) => (await db.select().from(creatorBackups).where(eq(creatorBackups.id, id)))[0]!;
const keysOf = async (id: string) => (await runtime.ports.storage.list(`archives/${id}/`, 100)).map(({ key }) => key);

/** A backup without files: its second step is the last one. */
async function begun() {
  const creator = await make.creator();
  const { id } = await creator.api.archives.request();
  await buildCreatorBackup(ctx, { backupId: id, step: 0 });
  return { creator, id, end: () => buildCreatorBackup(ctx, { backupId: id, step: 1 }) };
}

test('one of two jobs that have written the same step counts, and the part of the other is removed', async () => {
  const { creator, id, end } = await begun();
  const pause = pauseAt('archive.written');
  const slow = end();
  await pause.reachedBy(slow);
  await end();

  pause.goOn();
  await slow;

  const { readyAt, parts } = await rowOf(id);
  expect([readyAt, parts.length]).toEqual([clock.now, 2]);
  expect((await keysOf(id)).sort()).toEqual(parts.map(({ key }) => key).sort());
  expect(await db.$count(outbox, and(eq(outbox.userId, creator.id), eq(outbox.topic, 'archive_ready')))).toBe(1);
});

test('an archive that is given up while its last step is written does not become ready', async () => {
  const { id, end } = await begun();
  const pause = pauseAt('archive.written');
  const slow = end();
  await pause.reachedBy(slow);
  await sweepCreatorBackups({ ...ctx, now: () => later(clock.now, CREATOR_BACKUP_LIMITS.patience + MINUTES(1)) });

  pause.goOn();
  await slow;

  expect(await rowOf(id)).toMatchObject({ readyAt: null, failedAt: expect.any(Date), parts: [] });
});

test('a newer archive replaces the former one', async () => {
  const { creator, id, end } = await begun();
  await end();
  clock.now = later(clock.now, HOURS(1));
  const { id: newer } = await creator.api.archives.request();

  for (const step of [0, 1]) await buildCreatorBackup(ctx, { backupId: newer, step });
  await sweepCreatorBackups(ctx);

  expect([await keysOf(id), (await keysOf(newer)).length]).toEqual([[], 2]);
});

test('the parts of killed attempts are removed once the archive is ready', async () => {
  const { id, end } = await begun();
  await runtime.ports.storage.put(`archives/${id}/0-killed`, Readable.from(['half']), {
    contentType: 'application/zip',
  });

  await end();

  const { parts } = await rowOf(id);
  expect((await keysOf(id)).sort()).toEqual(parts.map(({ key }) => key).sort());
});

test('a part that is written while its archive is erased does not stay', async () => {
  const { id, end } = await begun();
  let erased: Promise<void> | undefined;
  await transact(ctx, async (tx) => {
    await tx.db.select().from(creatorBackups).where(eq(creatorBackups.id, id)).for('update');
    erased = eraseCreatorBackup(ctx, id);
    await lockWaits(db);
    // like a step that ends at this moment
    await runtime.ports.storage.put(`archives/${id}/1-late`, Readable.from(['part']), {
      contentType: 'application/zip',
    });
  });

  await erased;
  await end();

  expect(await keysOf(id)).toEqual([]);
});
