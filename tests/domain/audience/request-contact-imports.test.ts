import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts, suppressions } from '~/db/schema/audience';
import { contactImports } from '~/db/schema/contact-imports';
import '../../support/matchers';
import { contactImportStage, FILE } from './contact-import-stage';

const { lucia, ada, make, db, upload, request, importFile } = await contactImportStage();

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
