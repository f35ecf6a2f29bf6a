import { asc, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { contacts, suppressions } from '~/db/schema/audience';
import { contactImports } from '~/db/schema/contact-imports';
import { runContactImport } from '~/server/domain/audience/run-contact-import';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, clock, lucia, make } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${lucia.token}; language=en`, host, origin };
const ctx = systemCtx(runtime, 'audience.import-contacts');
clock.now = new Date('2026-11-26T12:00:00Z');

beforeEach(async () => {
  await db.delete(contactImports);
  await db.delete(contacts);
  await db.delete(suppressions);
});

const DECLARED = { hasAgreed: true, consentSource: 'my former website', consentedOn: '2026-11-01' };

/** Imports a file with the columns that are recognised. @returns the import, and its report as a file */
async function importFile(text: string, over: object = {}) {
  const contactsKey = await make.upload(lucia, 'contacts', Buffer.from(text));
  const { id } = await lucia.api.contactImports.request({ contactsKey, ...DECLARED, ...over });
  await runContactImport(ctx, id);
  const response = await app.request(`${env.urls.appUrl}/audience/import/${id}.csv`, { headers });
  return { latest: (await lucia.api.contactImports.latest())!, report: await response.text() };
}

async function listContacts(): Promise<string[]> {
  const rows = await db
    .select()
    .from(contacts)
    .where(eq(contacts.creatorId, lucia.creatorId))
    .orderBy(asc(contacts.email));
  return rows.map(({ email, name, since }) => `${email} ${name} ${since.toISOString().slice(0, 10)}`);
}

test('the rows left out come in once they are corrected, with columns that had to be chosen', async () => {
  const columns = { email: 1, firstName: 2, lastName: 3, since: 0, tags: 4, order: 'mdy' };
  const file = 'when,contact,a,b,c\n03/04/2020,ana,Ana,Ruiz,VIP;Press\n03/04/2020,bea@example.com,Bea,,\n';

  const { latest, report } = await importFile(file, columns);
  const again = await importFile(report.replace('ana,Ana Ruiz', 'ana@example.com,Ana Ruiz'));

  expect(latest).toMatchObject({ added: 1, leftOut: 1 });
  expect(report.split('\r\n')[1]).toContain('ana,Ana Ruiz,2020-03-04,"VIP, Press",,2,bad_email,');
  expect(again.latest).toMatchObject({ status: 'done', added: 1, leftOut: 0 });
  expect(await listContacts()).toEqual(['ana@example.com Ana Ruiz 2020-03-04', 'bea@example.com Bea 2020-03-04']);
});

test.each([
  ['a row', 'email\nana\n', 'ana,', 'ana@example.com,'],
  [
    'a row that can’t be read',
    'email,name\n"ana,Ana\nbea@example.com,Bea\n',
    '\r\n,,,,unsubscribed',
    '\r\nana@example.com,,,,unsubscribed',
  ],
])('%s of people who left brings no contact once it is corrected', async (_, file, wrong, corrected) => {
  const { report } = await importFile(file, { kind: 'unsubscribed' });

  const again = await importFile(report.replace(wrong, corrected));

  expect(again.latest).toMatchObject({ added: 0, suppressed: 1 });
  expect(await listContacts()).toEqual([]);
});

test('a date that can’t be read is named, and costs no contact', async () => {
  const { latest, report } = await importFile('email,since\nana@example.com,soon\nbea@example.com,\n');
  const again = await importFile(report.replace('soon', '2019-05-06'));

  expect(latest).toMatchObject({ added: 2, leftOut: 0, undated: 1 });
  expect(report.split('\r\n')[1]).toContain('ana@example.com,,soon,,,2,bad_since,The date can’t be read.');
  expect(again.latest).toMatchObject({ added: 0, changed: 1, undated: 0 });
  expect(await listContacts()).toEqual(['ana@example.com  2019-05-06', 'bea@example.com  2026-11-01']);
});

test('a row whose address is suppressed is named for that, whatever its date is', async () => {
  await importFile('email\nana@example.com\n', { kind: 'bounced' });

  const { latest, report } = await importFile('email,since\nana@example.com,soon\n');

  expect(latest).toMatchObject({ added: 0, leftOut: 1, undated: 0 });
  expect(report).toContain('ana@example.com,,soon,,,2,suppressed,');
});

test('contacts beyond the plan come in later with all that their rows had', async () => {
  const people = Array.from({ length: 500 }, (_, i) => `p${i}@example.com,,,`);
  const rows = ['email,name,since,tags', ...people, 'ana@example.com,Ana,2020-01-02,"VIP, Press"'];
  const { report } = await importFile(rows.join('\n'));
  await db.delete(contacts);

  const again = await importFile(report);

  expect(report.split('\r\n')[1]).toContain('ana@example.com,Ana,2020-01-02,"VIP, Press",,502,no_room,');
  expect(again.latest).toMatchObject({ added: 1, leftOut: 0 });
});
