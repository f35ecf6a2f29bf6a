import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { backupImports, creatorBackups } from '~/db/schema/creator-backup';
import { outbox } from '~/db/schema/notifications';
import { later, MINUTES } from '~/server/base/time';
import { cast } from '../../support/cast';
import { compareCreators } from '../../support/compared-creators';
import { fillCreator } from '../../support/filled-creator';
import { killedProcess } from '../../support/killed-process';
import { testRuntime } from '../../support/runtime';

const first = await cast();
const { runtime, lucia, tom, ada, podcast, series, dataDir, make } = first;
const second = await testRuntime();
const runKilled = await killedProcess('tests/support/backup-child.ts');
const KILLS = 10;
const COPIES = 60;

test('an archive that is killed at random moments continues, and so does its import: nothing is lost or twice', async () => {
  const { storage } = runtime.ports;
  const recorded = first.episodes.podcast.public;
  const audioKey = (i: number) => `audio/${lucia.creatorId}/${recorded.id}/copy-${i}.mp3`;
  for (let i = 0; i < COPIES; i += 1) await storage.copy(recorded.audioKey!, audioKey(i));
  await make.episodes(podcast, COPIES, (i) => ({ audioKey: audioKey(i), releaseAt: later(runtime.now(), MINUTES(i)) }));
  await fillCreator({ runtime, owner: lucia, tom, ada, podcast, series, episode: recorded });

  const { id } = await lucia.api.archives.request();
  const exportKills = await runKilled([first.url, dataDir, 'export', id], KILLS);
  const [row] = await runtime.db.select().from(creatorBackups).where(eq(creatorBackups.id, id));
  expect(row!.readyAt).not.toBeNull();
  // the leftovers of killed attempts are deleted
  expect((await storage.list(`archives/${id}/`, 1000)).map(({ key }) => key).sort()).toEqual(
    row!.parts.map(({ key }) => key).sort(),
  );
  expect(await runtime.db.$count(outbox, eq(outbox.topic, 'archive_ready'))).toBe(1);
  const file = path.join(dataDir, 'archive.zip');
  for (const { key } of row!.parts) await fs.appendFile(file, await buffer(await storage.read(key)));
  execFileSync('python3', ['-c', `import zipfile; assert zipfile.ZipFile('${file}').testzip() is None`]);

  const importKills = await runKilled([second.url, second.dataDir, 'import', file], KILLS);
  console.log({ exportKills, importKills });
  expect(Math.min(exportKills, importKills)).toBeGreaterThan(KILLS / 2);
  const [imported] = await second.runtime.db.select().from(backupImports);
  const compared = await compareCreators(
    { runtime, creatorId: lucia.creatorId },
    { runtime: second.runtime, creatorId: imported!.creatorId! },
  );
  console.table(compared.map(({ differences, ...counts }) => ({ ...counts, differences: differences.length })));
  expect(compared.flatMap(({ table, differences }) => differences.map((each) => `${table} ${each}`))).toEqual([]);
});
