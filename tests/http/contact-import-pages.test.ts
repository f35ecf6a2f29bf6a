import { expect, test } from 'vitest';
import { runContactImport } from '~/server/domain/audience/run-contact-import';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { runJobs } from '../support/run-jobs';

const { runtime, env, lucia, make } = await cast();
const app = pagesApp(runtime, env.urls);
const page = '/audience/import';
const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${lucia.token}; language=en`, host, origin };

const send = (values: Record<string, string>) =>
  app.request(`${env.urls.appUrl}${page}`, { headers, method: 'POST', body: new URLSearchParams(values) });
const open = async (path: string) => (await app.request(`${env.urls.appUrl}${path}`, { headers })).text();
const upload = (text: string) => make.upload(lucia, 'contacts', Buffer.from(text));

test('the list of contacts leads to the import', async () => {
  expect(await open('/audience')).toContain(`href="${page}"`);
});

test('without JavaScript, a file is shown, declared, imported, and its result can be downloaded', async () => {
  const contactsKey = await upload('email,name\nana@example.com,Ana\n=1+1,Bea\n');
  const sent = await send({ intent: 'upload', contactsKey });
  const preview = await open(sent.headers.get('location') ?? '');
  const declared = { consentSource: 'my former website', consentedOn: '2024-01-01', hasAgreed: 'on' };

  const columns = { email: '0', name: '1', firstName: 'none', lastName: 'none', since: 'none', tags: 'none' };
  const started = await send({ intent: 'import', contactsKey, ...columns, ...declared });
  const running = await open(page);
  await runJobs(runtime, 'audience.import-contacts', ({ importId }: { importId: number }, ctx) =>
    runContactImport(ctx, importId),
  );
  const result = await open(page);
  const { id } = (await lucia.api.contactImports.latest())!;

  expect(preview).toContain('ana@example.com');
  expect(preview).toContain('Import contacts');
  expect([started.status, started.headers.get('location')]).toEqual([302, page]);
  expect(running).toContain('Reading the file');
  expect(result).toContain('1 new contact');
  expect(result).toContain('This is no valid email address.');
  expect(await open(`${page}/${id}.csv`)).toContain("'=1+1,Bea,,,,3,bad_email");
});

test('a file without anything new says so, and its result leads to the contacts', async () => {
  const importFile = async (text: string) => {
    const contactsKey = await upload(text);
    const columns = { email: '0', name: '1', firstName: 'none', lastName: 'none', since: 'none', tags: 'none' };
    const declared = { consentSource: 'my former website', consentedOn: '2024-01-01', hasAgreed: 'on' };
    await send({ intent: 'import', contactsKey, ...columns, ...declared });
    await runJobs(runtime, 'audience.import-contacts', ({ importId }: { importId: number }, ctx) =>
      runContactImport(ctx, importId),
    );
    return /<main.*<\/main>/s.exec(await open(page))![0];
  };
  await importFile('email,name\nrosa@example.com,Rosa\nsaul@example.com,Saúl\n');

  const again = await importFile('email,name\nrosa@example.com,Rosa\nsaul@example.com,Saúl\n');
  const partly = await importFile('email,name\nrosa@example.com,Rosa\nteo@example.com,Teo\n');

  expect(again).toContain('Nothing new in this file');
  expect(again).toContain('2 rows that changed nothing');
  expect(again).toContain('href="/audience"');
  expect(partly).toContain('1 new contact');
  expect(partly).toContain('1 row that changed nothing');
});

test('Enter in the declaration imports the file, and does not show it again', async () => {
  const preview = await open(`${page}?file=${await upload('email\nana@example.com\n')}`);
  const form = preview.slice(preview.lastIndexOf('<form', preview.indexOf('name="contactsKey"')));

  expect(/<button[^>]*type="submit"[^>]*>/.exec(form)![0]).toContain('value="import"');
});

test('a declaration that is missing is named beside its field, and the file stays', async () => {
  const contactsKey = await upload('email\nana@example.com\n');

  const path = `${env.urls.appUrl}${page}?file=${contactsKey}`;
  const body = new URLSearchParams({ intent: 'import', contactsKey, consentSource: '', consentedOn: '2024-01-01' });
  const response = await app.request(path, { headers, method: 'POST', body });
  const html = await response.text();

  expect(html).toContain('Say where these people have agreed.');
  expect(html).toContain(contactsKey);
});

test('columns that were chosen are sent with the declaration, and stay if it is refused', async () => {
  const contactsKey = await upload('email,name\nana@example.com,Ana\n');
  const path = `${page}?file=${contactsKey}`;
  const formOf = (html: string) => html.split('<form').find((form) => form.includes('value="import"')) ?? '';
  const chosen = (html: string) => /name="order".*?<option value="(\w+)" selected/.exec(formOf(html))?.[1];

  const values = { intent: 'import', contactsKey, order: 'mdy', consentSource: '', consentedOn: '2024-01-01' };
  const request = { headers, method: 'POST', body: new URLSearchParams(values) };
  const refused = await app.request(`${env.urls.appUrl}${path}`, request);

  expect(chosen(await open(path))).toBe('dmy');
  expect(chosen(await refused.text())).toBe('mdy');
});

test('a file that is no CSV is named, and another one can be chosen', async () => {
  const contactsKey = await upload('PK\u0003\u0004\u0000\u0000\n');

  const html = await open(`${page}?file=${contactsKey}`);

  expect(html).toContain('unsupported CSV type');
  expect(html).toContain('type="file"');
});

test.each([
  ['a picture', '89504e470d0a1a0a0000000d49484452'],
  ['a sheet of Excel', '504b030414000600080000002100'],
])('%s with the name of a CSV file is refused before its columns are chosen', async (_, bytes) => {
  const contactsKey = await make.upload(lucia, 'contacts', Buffer.from(bytes, 'hex'));

  const html = await open(`${page}?file=${contactsKey}`);

  expect(html).toContain('unsupported CSV type');
  expect(html).not.toContain('name="consentSource"');
});
