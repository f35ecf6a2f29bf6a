import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contactSources, contacts } from '~/db/schema/audience';
import { contactImportProblems, contactImportRows, contactImports } from '~/db/schema/contact-imports';
import { later } from '~/server/base/time';
import { eraseContacts } from '~/server/domain/audience/erase-contacts';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { recoverContactImports, runContactImport } from '~/server/domain/audience/run-contact-import';
import { incomingKey } from '~/server/domain/media/rules';
import { deleteStoredObjects } from '~/server/domain/media/sweep-uploads';
import { CONTACT_IMPORT_LIMITS } from '~/server/limits/contact-imports';
import { removeObjects } from '~/server/queue/jobs/media';
import { lockWaits } from '../../support/lock-waits';
import { runJobs } from '../../support/run-jobs';
import { contactImportStage, DECLARED, FILE } from './contact-import-stage';

const { runtime, clock, lucia, make, pauseAt, db, upload, request, ctx, importFile, ofLucia, listContacts } =
  await contactImportStage();

/** Other tests have databases of their own in the same Postgres. */
const waiting = sql`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;
const waitForLock = () => expect.poll(() => db.execute(waiting)).toEqual([{ n: 1 }]);

test('a person who leaves while an import runs stays away', async () => {
  const { id } = await request('email\nana@example.com\nbea@example.com\n');
  const pause = pauseAt('contacts.checked');
  const running = runContactImport(ctx, id);
  await pause.reachedBy(running);
  const { url } = leaveLink(runtime, { creatorId: lucia.creatorId, email: 'ana@example.com' }, 'en');
  const leaving = leaveNewsletter(ctx, { token: new URL(url).searchParams.get('list')! });
  await Promise.race([leaving, waitForLock()]);

  pause.goOn();
  await Promise.all([running, leaving]);

  expect(await listContacts()).toEqual(['ana@example.com inactive 2026-11-01', 'bea@example.com active 2026-11-01']);
});

const ROWS = CONTACT_IMPORT_LIMITS.batch * 2 + 10;
const LONG_FILE = `email\n${Array.from({ length: ROWS }, (_, i) => `p${i}@example.com`).join('\n')}\n`;
const COMPLETE = { status: 'done', rows: ROWS, merged: ROWS, added: ROWS, changed: 0, leftOut: 0 };

test.each(['contacts.read', 'contacts.staged'])('an import that is killed at %s continues', async (seam) => {
  const { id } = await request(LONG_FILE);
  let reached = 0;
  const killed = {
    ...ctx,
    reach: (at: string) => {
      reached += at === seam ? 1 : 0;
      return reached === 2 ? Promise.reject(new Error('killed')) : undefined;
    },
  };

  await expect(runContactImport(killed, id)).rejects.toThrow('killed');
  const [half] = await db.select().from(contactImports);
  await runContactImport(ctx, id);

  expect(seam === 'contacts.read' ? half!.rows : half!.merged).toBe(CONTACT_IMPORT_LIMITS.batch);
  expect(await lucia.api.contactImports.latest()).toMatchObject(COMPLETE);
  expect(await db.$count(contacts, ofLucia)).toBe(ROWS);
  expect(await db.$count(contactImportRows)).toBe(0);
});

test.each(['contacts.read', 'contacts.staged'] as const)('of two jobs at %s, one gets on', async (seam) => {
  const { id } = await request(LONG_FILE);
  const pause = pauseAt(seam);
  const slow = runContactImport(ctx, id);
  await pause.reachedBy(slow);
  await runContactImport(ctx, id);

  pause.goOn();
  await slow;

  expect(await lucia.api.contactImports.latest()).toMatchObject(COMPLETE);
  expect(await db.$count(contacts, ofLucia)).toBe(ROWS);
});

test('an import whose job was lost is continued, and old reports are deleted', async () => {
  const { id } = await request(FILE);
  clock.now = new Date('2026-11-26T14:00:00Z');

  await recoverContactImports(ctx);
  await runContactImport(ctx, id);
  clock.now = new Date('2027-11-26T12:00:00Z');
  await recoverContactImports(ctx);

  expect(await db.$count(contactImports)).toBe(0);
  expect(await db.$count(contactImportProblems)).toBe(0);
});

test('staged rows of an import that is gone are deleted', async () => {
  const { id } = await request(FILE);
  const pause = pauseAt('contacts.staged');
  const running = runContactImport(ctx, id);
  await pause.reachedBy(running);
  await db.delete(contactImports);
  const staged = await db.$count(contactImportRows);

  await recoverContactImports(ctx);

  expect([staged, await db.$count(contactImportRows)]).toEqual([2, 0]);
  pause.goOn();
  await running;
  expect(await db.$count(contacts, ofLucia)).toBe(0);
});

test('an import that does not get on ends, so that the creator can start another one', async () => {
  const { id } = await request(FILE);
  clock.now = later(clock.now, CONTACT_IMPORT_LIMITS.stuck + 1);

  await recoverContactImports(ctx);
  await runContactImport(ctx, id);

  expect(await lucia.api.contactImports.latest()).toMatchObject({ status: 'failed', failure: 'contact_import.stuck' });
  expect(await db.$count(contacts, ofLucia)).toBe(0);
  expect(await importFile(FILE)).toMatchObject({ status: 'done', added: 2 });
});

test('erasing a creator deletes the file and the staged rows of an import that runs', async () => {
  const owner = await make.creator();
  const contactsKey = await upload(FILE, owner);
  const { id } = await owner.api.contactImports.request({ contactsKey, ...DECLARED });
  const pause = pauseAt('contacts.staged');
  const running = runContactImport(ctx, id);
  await pause.reachedBy(running);

  await eraseContacts(ctx, { userId: owner.id });
  await runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }) => deleteStoredObjects(ctx, keys));

  expect(await runtime.ports.storage.head(incomingKey(contactsKey))).toBeNull();
  expect(await db.$count(contactImportRows)).toBe(0);
  pause.goOn();
  await running;
});

test('erasing a creator waits for the batch of an import that is adding contacts, and leaves none', async () => {
  const owner = await make.creator();
  const contactsKey = await upload(FILE, owner);
  const { id } = await owner.api.contactImports.request({ contactsKey, ...DECLARED });
  const pause = pauseAt('contacts.checked');
  const running = runContactImport(ctx, id);
  await pause.reachedBy(running);

  const erasing = eraseContacts(ctx, { userId: owner.id });
  await Promise.race([erasing, lockWaits(db)]);
  pause.goOn();
  await Promise.all([running, erasing]);

  expect(await db.$count(contacts, eq(contacts.creatorId, owner.creatorId))).toBe(0);
  expect(await db.$count(contactSources, eq(contactSources.creatorId, owner.creatorId))).toBe(0);
});
