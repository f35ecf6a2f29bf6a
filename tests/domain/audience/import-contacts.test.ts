import { and, asc, eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import {
  contactConsents,
  contactSources,
  contacts,
  contactTags,
  suppressions,
  taggedContacts,
} from '~/db/schema/audience';
import { contactImportProblems, contactImportRows, contactImports } from '~/db/schema/contact-imports';
import { creatorPlans } from '~/db/schema/plans';
import { later } from '~/server/base/time';
import { eraseContacts } from '~/server/domain/audience/erase-contacts';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { recoverContactImports, runContactImport } from '~/server/domain/audience/run-contact-import';
import { incomingKey } from '~/server/domain/media/rules';
import { deleteStoredObjects } from '~/server/domain/media/sweep-uploads';
import { CONTACT_IMPORT_LIMITS } from '~/server/limits/contact-imports';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';
import { runJobs } from '../../support/run-jobs';
import '../../support/matchers';

const { runtime, clock, lucia, ada, make, pauseAt } = await cast();
const { db } = runtime;
clock.now = new Date('2026-11-26T12:00:00Z');

const usePlan = (plan: 'FREE' | 'ULTRA') =>
  db
    .insert(creatorPlans)
    .values({ creatorId: lucia.creatorId, plan, since: clock.now })
    .onConflictDoUpdate({ target: creatorPlans.creatorId, set: { plan } });

beforeEach(async () => {
  clock.now = new Date('2026-11-26T12:00:00Z');
  await usePlan('ULTRA');
  await db.delete(contactImports);
  await db.delete(contacts);
  await db.delete(contactTags);
  await db.delete(suppressions);
});

const DECLARED = { hasAgreed: true, consentSource: 'my former website', consentedOn: '2026-11-01' };
const upload = (text: string, owner = lucia) => make.upload(owner, 'contacts', Buffer.from(text));
const request = async (text: string, over: object = {}) =>
  lucia.api.contactImports.request({ contactsKey: await upload(text), ...DECLARED, ...over });

const ctx = systemCtx(runtime, 'audience.import-contacts');

async function importFile(text: string, over: object = {}) {
  const { id } = await request(text, over);
  await runContactImport(ctx, id);
  const latest = await lucia.api.contactImports.latest();
  return { ...latest!, problems: await lucia.api.contactImports.problems({ id }) };
}

const ofLucia = eq(contacts.creatorId, lucia.creatorId);

/** The contacts, with all that an import could change. */
async function listContacts(): Promise<string[]> {
  const rows = await db.select().from(contacts).where(ofLucia).orderBy(asc(contacts.email));
  const tags = await db
    .select({ id: taggedContacts.contactId, name: contactTags.name })
    .from(taggedContacts)
    .innerJoin(contactTags, eq(contactTags.id, taggedContacts.tagId))
    .orderBy(asc(contactTags.name));
  return rows.map(({ id, email, name, status, since }) =>
    [
      email,
      name,
      status,
      since.toISOString().slice(0, 10),
      tags.flatMap((tag) => (tag.id === id ? [tag.name] : [])).join('+'),
    ]
      .filter(Boolean)
      .join(' '),
  );
}

const FILE = `email,name,created_at,tags,status
Ana@example.com,Ana,2020-01-02,"VIP, Press",active
bea@example.com,,,,
cyd@example.com,Cyd,2021-01-01,,unsubscribed
dan@example.com,Dan,2021-01-01,,bounced
nobody,Eva,2021-01-01,,active
fay@example.com,Fay,2021-01-01,,unconfirmed
`;

test('a file brings contacts with their tags, source and consent, and suppressions, and names all other rows', async () => {
  const result = await importFile(FILE);

  expect(result).toMatchObject({ status: 'done', rows: 6, merged: 6, added: 2, changed: 0, suppressed: 2, leftOut: 2 });
  expect(await listContacts()).toEqual([
    'ana@example.com Ana active 2020-01-02 Press+VIP',
    'bea@example.com active 2026-11-01',
  ]);
  expect(result.problems).toMatchObject([
    { line: 6, text: 'nobody · Eva · 2021-01-01 · · active', fault: 'bad_email' },
    { line: 7, text: 'fay@example.com', fault: 'unconfirmed' },
  ]);
  const reasons = await db.select({ reason: suppressions.reason }).from(suppressions).orderBy(asc(suppressions.reason));
  expect(reasons).toEqual([{ reason: 'bounced' }, { reason: 'unsubscribed' }]);
  expect(await db.$count(contactSources, eq(contactSources.source, 'import'))).toBe(2);
  const consents = await db.select().from(contactConsents).orderBy(asc(contactConsents.contactId));
  expect(consents).toHaveLength(2);
  expect(consents[0]).toMatchObject({ givenAt: new Date('2026-11-01'), source: 'import' });
  expect(consents[0]!.text).toContain('my former website');
  expect(await db.$count(contactImportRows)).toBe(0);
});

test('importing the same file again changes nothing', async () => {
  await importFile(FILE);
  const all = () =>
    Promise.all(
      [contacts, contactTags, taggedContacts, contactSources, contactConsents, suppressions].map((table) =>
        db.execute(sql`select * from ${table} t order by t::text`),
      ),
    );
  const before = await all();
  clock.now = new Date('2026-11-26T13:00:00Z');

  const again = await importFile(FILE);

  expect(again).toMatchObject({ status: 'done', added: 0, changed: 0, suppressed: 0, leftOut: 2 });
  expect(await all()).toEqual(before);
});

test('people who left never come back, whatever file has them', async () => {
  await importFile('email\nana@example.com\nbea@example.com\n');
  await importFile('email\nana@example.com\ncyd@example.com\n', { kind: 'unsubscribed' });
  await db.delete(contacts).where(and(ofLucia, eq(contacts.email, 'ana@example.com')));

  const again = await importFile('email\nana@example.com\nbea@example.com\nCYD@example.com\n');

  expect(await listContacts()).toEqual(['bea@example.com active 2026-11-01']);
  expect(again).toMatchObject({ added: 0, leftOut: 2 });
  expect(again.problems.map(({ line, text, fault }) => `${line} ${text} ${fault}`)).toEqual([
    '2 ana@example.com suppressed',
    '4 cyd@example.com suppressed',
  ]);
});

test('suppressions of a file count before its contacts, wherever their rows are', async () => {
  const result = await importFile('email,status\nana@example.com,active\nana@example.com,unsubscribed\n');

  expect(await listContacts()).toEqual([]);
  expect(result).toMatchObject({ added: 0, suppressed: 1, leftOut: 1 });
});

test('a contact that is there keeps its name and state, and gets the older date and further tags', async () => {
  const own = { creatorId: lucia.creatorId, language: 'en', source: 'form' } as const;
  const since = new Date('2024-01-01');
  await db.insert(contacts).values([
    { ...own, email: 'ana@example.com', name: 'Ana R.', status: 'active', since },
    { ...own, email: 'bea@example.com', status: 'inactive', statusReason: 'creator', since },
    { ...own, email: 'cyd@example.com', status: 'pending', since },
  ]);

  const result = await importFile(
    'email,name,since,tags\nana@example.com,Ana,2020-01-01,VIP\nana@example.com,,2019-01-01,vip;Press\nbea@example.com,Bea,,\ncyd@example.com,,2025-01-01,\n',
  );

  expect(result).toMatchObject({ added: 0, changed: 3, leftOut: 0, merged: 4 });
  expect(await listContacts()).toEqual([
    'ana@example.com Ana R. active 2019-01-01 Press+VIP',
    'bea@example.com Bea inactive 2024-01-01',
    'cyd@example.com active 2024-01-01',
  ]);
});

test('contacts beyond the plan are listed, in the order of the file', async () => {
  await usePlan('FREE');
  const emails = Array.from({ length: 503 }, (_, i) => `p${i}@example.com`);

  const result = await importFile(`email\n${emails.join('\n')}\n`);

  expect(result).toMatchObject({ status: 'done', added: 500, leftOut: 3 });
  expect(result.problems.map(({ text, fault }) => `${text} ${fault}`)).toEqual([
    'p500@example.com no_room',
    'p501@example.com no_room',
    'p502@example.com no_room',
  ]);
});

test('the same people declared again have one consent of an import, with its first day', async () => {
  await importFile(FILE);
  await importFile(FILE, { consentedOn: '2026-11-02' });

  const { givenAt } = contactConsents;
  const days = await db.select({ givenAt }).from(contactConsents).orderBy(asc(givenAt));
  expect(days).toEqual([{ givenAt: new Date('2026-11-01') }, { givenAt: new Date('2026-11-01') }]);
});

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

test('a contact that the team had deactivated has left for good, if a file says so', async () => {
  const own = { creatorId: lucia.creatorId, language: 'en', source: 'form', since: clock.now } as const;
  await db.insert(contacts).values({ ...own, email: 'ana@example.com', status: 'inactive', statusReason: 'creator' });

  await importFile('email\nana@example.com\n', { kind: 'bounced' });

  const [contact] = await db.select().from(contacts).where(ofLucia);
  expect(contact).toMatchObject({ status: 'inactive', statusReason: 'import', inactiveAs: 'bounced' });
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

test('a preview shows the first rows and stores nothing', async () => {
  const contactsKey = await upload('Correo;Nombre;Fecha\nana@example.com;Ana;03/04/2026\n');

  const first = await lucia.api.contactImports.preview({ contactsKey });
  const second = await lucia.api.contactImports.preview({ contactsKey, order: 'mdy', name: null });

  expect(first).toMatchObject({
    host: 'other',
    kind: 'contacts',
    unclear: '03/04/2026',
    order: 'dmy',
    names: ['Correo', 'Nombre', 'Fecha'],
  });
  expect(first.first).toEqual([
    { line: 2, email: 'ana@example.com', name: 'Ana', tags: [], since: '2026-04-03', state: null },
  ]);
  expect(second.first[0]).toMatchObject({ name: '', since: '2026-03-04' });
  expect(await db.$count(contactImports)).toBe(0);
});

test('a preview tells the encoding by the beginning of a long file', async () => {
  const text = `email,name\n${'ana@example.com,Ángel\n'.repeat(60_000)}`;
  const end = Buffer.from('bea@example.com,\u00c1ngel\n', 'latin1');
  const contactsKey = await make.upload(lucia, 'contacts', Buffer.concat([Buffer.from(text), end]));

  expect(await lucia.api.contactImports.preview({ contactsKey })).toMatchObject({ encoding: 'utf-8' });
});

test('a list of people who have left needs no declaration', async () => {
  const undeclared = { hasAgreed: false, consentSource: '', consentedOn: '' };

  await expect(request(FILE, { ...undeclared, kind: 'contacts' })).rejects.toThrow();
  await importFile(FILE, { ...undeclared, kind: 'unsubscribed' });

  expect(await db.$count(suppressions)).toBeGreaterThan(0);
  expect(await db.$count(contacts, eq(contacts.status, 'active'))).toBe(0);
});

test('an import needs the declaration, a past day and a column of addresses', async () => {
  await expect(request(FILE, { hasAgreed: false })).rejects.toThrow();
  await expect(request(FILE, { consentSource: ' ' })).rejects.toThrow();
  await expect(request(FILE, { consentedOn: '' })).rejects.toThrow();
  await expect(request(FILE, { consentedOn: '2026-11-27' })).toFailWith('contact_import.consent_ahead');
  await expect(request('a,b\n1,2\n')).toFailWith('contact_import.no_addresses');
  await expect(request('PK\u0003\u0004\u0000\u0000\n')).toFailWith('contact_import.not_csv');
  expect(await db.$count(contactImports)).toBe(0);
});

test('a creator has one import at a time, and sees no import and no file of another creator', async () => {
  const { id } = await request(FILE);
  const contactsKey = await upload(FILE);

  await expect(request(FILE)).toFailWith('contact_import.already_importing');
  await expect(ada.api.contactImports.problems({ id })).toFailWith('contact_import.not_found');
  await expect(ada.api.contactImports.preview({ contactsKey })).toFailWith('upload.not_found');
  expect(await ada.api.contactImports.latest()).toBeNull();
});
