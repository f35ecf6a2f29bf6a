import { and, asc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  contactConsents,
  contactSources,
  contacts,
  contactTags,
  suppressions,
  taggedContacts,
} from '~/db/schema/audience';
import { contactImportRows } from '~/db/schema/contact-imports';
import { contactImportStage, FILE } from './contact-import-stage';

const { clock, lucia, db, importFile, ofLucia, listContacts, usePlan } = await contactImportStage();

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

test('a contact that the team had deactivated has left for good, if a file says so', async () => {
  const own = { creatorId: lucia.creatorId, language: 'en', source: 'form', since: clock.now } as const;
  await db.insert(contacts).values({ ...own, email: 'ana@example.com', status: 'inactive', statusReason: 'creator' });

  await importFile('email\nana@example.com\n', { kind: 'bounced' });

  const [contact] = await db.select().from(contacts).where(ofLucia);
  expect(contact).toMatchObject({ status: 'inactive', statusReason: 'import', inactiveAs: 'bounced' });
});
