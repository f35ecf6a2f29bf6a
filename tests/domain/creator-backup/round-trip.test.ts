import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { desc, eq, max, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { receiptCounters, sales } from '~/db/schema/billing';
import { backupImportIds, creatorBackups } from '~/db/schema/creator-backup';
import { creators, domains } from '~/db/schema/creators';
import { creditNoteCounters, creditNotes } from '~/db/schema/credit-notes';
import { episodes } from '~/db/schema/episodes';
import { feedRedirects } from '~/db/schema/moving';
import { products } from '~/db/schema/products';
import { makeUrls } from '~/server/base/urls';
import { buildCreatorBackup } from '~/server/domain/creator-backup/build-backup';
import { importCreatorBackup } from '~/server/domain/creator-backup/import-backup';
import { openCreatorBackup } from '~/server/domain/creator-backup/open-backup';
import { openFile } from '~/server/runtime/moving-creators';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { compareCreators } from '../../support/compared-creators';
import { isDeep } from '../../support/deep';
import { fillCreator } from '../../support/filled-creator';
import { testRuntime } from '../../support/runtime';

const first = await cast();
const { runtime, lucia, tom, ada, podcast, series, dataDir } = first;
const second = await testRuntime();
const here = { runtime, creatorId: lucia.creatorId };

await fillCreator({ runtime, owner: lucia, tom, ada, podcast, series, episode: first.episodes.podcast.public });
const archive = await openCreatorBackup(await openFile(await writeZip()));
const import_ = (on: Pick<typeof second, 'runtime'>, options = {}) =>
  importCreatorBackup(systemCtx(on.runtime, 'operator'), archive, options);

async function writeZip(): Promise<string> {
  const { id } = await lucia.api.archives.request();
  for (let step = 0; ; step += 1) {
    await buildCreatorBackup(systemCtx(runtime, 'archives.build'), { backupId: id, step });
    const [row] = await runtime.db.select().from(creatorBackups).where(eq(creatorBackups.id, id));
    if (!row!.readyAt) continue;
    const file = path.join(dataDir, 'archive.zip');
    await fs.writeFile(file, '');
    for (const { key } of row!.parts) await fs.appendFile(file, await buffer(await runtime.ports.storage.read(key)));
    return file;
  }
}

test('an archive recreates the creator in an empty installation: no difference in any table', async () => {
  const { creatorId, domain, owner } = await import_(second);
  expect({ domain, owner }).toEqual({ domain: 'lucia', owner: lucia.email });

  const compared = await compareCreators(here, { runtime: second.runtime, creatorId });

  if (isDeep) console.table(compared.map(({ differences, ...row }) => ({ ...row, differences: differences.length })));
  expect(compared.filter(({ before }) => before === 0).map(({ table }) => table)).toEqual([]);
  expect(compared.flatMap(({ table, differences }) => differences.map((row) => `${table} ${row}`))).toEqual([]);
  const [account] = await second.runtime.db.select().from(users).where(eq(users.email, lucia.email));
  expect(account).toMatchObject({ passwordHash: null, id: lucia.id });
  // the next sale must not reuse the number of an imported one
  const ofSeller = { legalEntity: sales.legalEntity, last: max(sales.receiptNumber) };
  const numbered = await second.runtime.db
    .select(ofSeller)
    .from(sales)
    .groupBy(sales.legalEntity)
    .orderBy(sales.legalEntity);
  const counters = second.runtime.db.select().from(receiptCounters).orderBy(receiptCounters.legalEntity);
  expect(await counters).toMatchObject(numbered);
  const [note] = await second.runtime.db.select().from(creditNotes).orderBy(desc(creditNotes.number)).limit(1);
  const { legalEntity, number: last } = note!;
  expect(await second.runtime.db.select().from(creditNoteCounters).limit(1)).toMatchObject([{ legalEntity, last }]);
});

/** The archive without the benefits of its first shows. */
async function archiveWithout(shows: number) {
  const file = 'data/products.json';
  const text = (await buffer(Readable.from(archive.content(file)))).toString();
  let left = shows;
  const older = text.replace(/"benefits":\[.*?\],?/g, (benefits) => (left-- > 0 ? '' : benefits));
  expect(older).not.toBe(text);
  async function* changed() {
    yield Buffer.from(older);
  }
  return { ...archive, content: (name: string) => (name === file ? changed() : archive.content(name)) };
}

test('an archive that is older than a column is imported with the default of the column', async () => {
  const third = await testRuntime();

  await importCreatorBackup(systemCtx(third.runtime, 'operator'), await archiveWithout(Number.POSITIVE_INFINITY));

  const rows = await third.runtime.db.select({ benefits: products.benefits }).from(products).orderBy(products.id);
  expect(rows).toHaveLength(await runtime.db.$count(products, eq(products.creatorId, lucia.creatorId)));
  expect(new Set(rows.map(({ benefits }) => benefits.length))).toEqual(new Set([0]));
});

test('an archive in which one row lacks a column is refused, because the values of the others would be lost', async () => {
  const third = await testRuntime();

  const importing = importCreatorBackup(systemCtx(third.runtime, 'operator'), await archiveWithout(1));

  await expect(importing).toFailWith('archive.bad');
  expect(await third.runtime.db.$count(products)).toBe(0);
});

test('importing it again writes nothing', async () => {
  const count = () => second.runtime.db.$count(episodes);
  const before = await count();

  await expect(import_(second)).toFailWith('archive.creator_here');

  expect(await count()).toBe(before);
});

test('an archive whose import has ended is not imported again, although its shows are not known by their GUIDs', async () => {
  const { db } = second.runtime;
  await db.update(products).set({ feedGuid: sql`gen_random_uuid()` });

  await expect(import_(second, { domain: 'lucia-2' })).toFailWith('archive.creator_here');
});

test('an installation with other creators gives the rows new ids, and numbers receipts on', async () => {
  const busy = await testRuntime();
  const { db } = busy.runtime;
  const account = { name: 'Somebody', currency: 'eur' as const, termsAcceptedAt: busy.runtime.now() };
  const taken = Array.from({ length: 50 }, (_, i) => ({ ...account, email: `u${i}@mail.example` }));
  const [other] = await db.insert(users).values(taken).returning();
  const tomHere = await db
    .insert(users)
    .values({ ...account, email: tom.email })
    .returning();
  const page = { name: 'O', domain: 'other', userId: other!.id, claimedAt: busy.runtime.now() };
  await db.insert(creators).values(page);
  const [sale] = await runtime.db.select().from(sales).where(eq(sales.creatorId, lucia.creatorId));
  await db.insert(receiptCounters).values({ legalEntity: sale!.legalEntity, last: 99 });

  const heard: string[] = [];
  await busy.client.listen('changed', (tag) => void heard.push(tag));

  const { creatorId } = await import_(busy);

  const compared = await compareCreators(here, { runtime: busy.runtime, creatorId });
  const different = compared.filter(({ differences }) => differences.length > 0);
  // the sales differ in the seller's name, and belong to Tom's account here
  expect(different.map(({ table }) => table)).toEqual(expect.arrayContaining(['sales']));
  const [moved] = await db.select().from(sales).where(eq(sales.creatorId, creatorId));
  expect(moved).toMatchObject({ userId: tomHere[0]!.id, receiptNumber: sale!.receiptNumber });
  expect(moved!.legalEntity).toContain(`${sale!.legalEntity} (http`);
  const notes = await db
    .selectDistinct({ of: creditNotes.legalEntity })
    .from(creditNotes)
    .orderBy(creditNotes.legalEntity);
  expect(notes).toEqual([{ of: moved!.legalEntity }]);
  expect(creatorId).not.toBe(lucia.creatorId);
  await expect.poll(() => heard).toContain(`creator:${creatorId}`);
  const [next] = await db.execute<{ id: string }>(sql`select nextval(pg_get_serial_sequence('episodes', 'id')) as id`);
  const ids = await db.select({ id: episodes.id }).from(episodes).orderBy(episodes.id);
  expect(Math.max(...ids.map(({ id }) => id))).toBeLessThan(Number(next!.id));
});

test('an import that is killed between its steps continues, and no visitor sees half a creator', async () => {
  const third = await testRuntime();
  const { storage } = third.runtime.ports;
  let left = 3;
  const failing = {
    ...third.runtime,
    ports: {
      ...third.runtime.ports,
      storage: {
        ...storage,
        put: (async (...args) => {
          left -= 1;
          if (left < 0) throw new Error('killed');
          return storage.put(...args);
        }) as typeof storage.put,
      },
    },
  };

  await expect(import_({ runtime: failing })).rejects.toThrow('killed');
  expect(await third.runtime.db.$count(creators)).toBe(0);
  const assigned = await third.runtime.db.$count(backupImportIds);
  const { creatorId, files } = await import_(third);

  expect(await third.runtime.db.$count(backupImportIds)).toBe(assigned);
  const keys = new Set(archive.manifest.entries.flatMap(({ key }) => key ?? []));
  expect(files).toBe(keys.size - 3);
  const compared = await compareCreators(here, { runtime: third.runtime, creatorId });
  expect(compared.flatMap(({ differences }) => differences)).toEqual([]);
});

test('a redirect to this installation is left out, because the feed would redirect to itself', async () => {
  const there = await testRuntime();
  const urls = makeUrls({ ...there.runtime.urls.settings, appUrl: 'https://next.example', publicRoot: 'next.example' });

  await import_({ runtime: { ...there.runtime, urls } });

  expect(await there.runtime.db.$count(feedRedirects)).toBe(0);
});

test('an archive from before redirects and credit notes were in it is imported', async () => {
  const { runtime: there } = await testRuntime();
  const later = ['data/feed_redirects.json', 'data/credit_notes.json'];
  const entries = archive.manifest.entries.filter(({ name }) => !later.includes(name));
  const older = { ...archive, manifest: { ...archive.manifest, entries } };

  await importCreatorBackup(systemCtx(there, 'operator'), older, {});

  expect([await there.db.$count(feedRedirects), await there.db.$count(creators)]).toEqual([0, 1]);
});

test('a domain, an owner or an address that is taken is refused before anything is written', async () => {
  const busy = await testRuntime();
  const { db } = busy.runtime;
  const account = { name: 'Somebody', currency: 'eur' as const, termsAcceptedAt: busy.runtime.now() };
  const [unverified] = await db
    .insert(users)
    .values({ ...account, email: lucia.email })
    .returning();

  await expect(import_(busy)).toFailWith('archive.owner_unverified');
  await db.update(users).set({ emailVerifiedAt: busy.runtime.now() }).where(eq(users.id, unverified!.id));
  const page = { name: 'O', domain: 'lucia', userId: unverified!.id, claimedAt: busy.runtime.now() };
  const [row] = await db.insert(creators).values(page).returning();
  const claim = { domain: 'lucia', creatorId: row!.id, claimedAt: busy.runtime.now() };
  await db.insert(domains).values(claim);
  await expect(import_(busy)).toFailWith('archive.domain_taken');
  await expect(import_(busy, { domain: 'www' })).toFailWith('archive.domain_taken');
  await expect(import_(busy, { domain: 'lucia-2' })).toFailWith('archive.owner_has_page');
  await db.delete(domains);
  await db.delete(creators).where(eq(creators.id, row!.id));
  expect(await import_(busy, { domain: 'lucia-2' })).toMatchObject({ domain: 'lucia-2', owner: lucia.email });
});
