import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { uploads } from '~/db/schema/media';
import { KIND_NAMES, KINDS } from '~/server/domain/products/kinds';
import { BODY_LIMITS, FORM_LIMITS } from '~/server/limits/http';
import { cast } from '../support/cast';
import { mp3 } from '../support/mp3';
import { pagesApp } from '../support/pages-app';
import { picture } from '../support/pictures';
import { checkNewAudio } from '../support/run-jobs';

const { runtime, env, make } = await cast();
const app = pagesApp(runtime, env.urls);
const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});

const { host, origin } = new URL(env.urls.appUrl);
const signedIn = { cookie: `token=${owner.token}`, host, origin };

type Fields = Record<string, string | File>;

/** Sends a form with file inputs, like a browser without JavaScript. */
function submit(path: string, fields: Fields, headers: Record<string, string> = signedIn): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return Promise.resolve(app.request(`${env.urls.appUrl}${path}`, { method: 'POST', headers, body }));
}

async function read(path: string): Promise<string> {
  return (await app.request(`${env.urls.appUrl}${path}`, { headers: signedIn })).text();
}

const file = (bytes: Buffer, name: string, type: string) => new File([new Uint8Array(bytes)], name, { type });
const cover = async () => file(await picture(), 'cover.png', 'image/png');
const audio = async () => file(mp3(2), 'Uno.mp3', 'audio/mpeg');
/** The part that a browser sends for an empty file input. */
const nothing = () => new File([], '', { type: 'application/octet-stream' });

const about = { description: 'Un programa', category: '1501', language: 'es', coverKey: '' };
const story = { description: 'Lo que pasó', type: 'public', publish: 'now', timeZone: 'UTC', releaseLocal: '' };
const tickets = () => runtime.db.$count(uploads, eq(uploads.userId, owner.id));

test.each(['/products/create', `/podcasts/${show.id}/episodes/create`])(
  'without JavaScript, %s has a button, and file inputs in a form that can send them',
  async (path) => {
    const html = await read(path);

    expect(html).toMatch(/<form[^>]*enctype="multipart\/form-data"/i);
    expect(html).toMatch(/<noscript>(?:(?!<\/noscript>).)*<input[^>]*name="(?:file|cover)Key"[^>]*type="file"/);
    expect(html).not.toMatch(/data-needs-script[^>]*><button[^>]*type="submit"/);
  },
);

test.each(['import-subscribers', 'metric/imported'])(
  '%s takes its file in a zone with texts of our own',
  async (page) => {
    const html = await read(`/podcasts/${show.id}/${page}`);

    expect(html).toMatch(/Drop the file here.*Choose a file.*<input[^>]*type="file"/);
  },
);

test.each(KIND_NAMES)('a form creates and edits a %s with its cover', async (kind) => {
  const created = await submit('/products/create', { ...about, kind, name: `Con ${kind}`, coverKey: await cover() });
  const next = created.headers.get('location')!.split('?')[0]!;
  const path = next.replace('/episodes/create', '');
  const { items } = await owner.api.products.list({ kind });
  const [before] = items;
  const edited = await submit(`${path}/settings`, { ...about, name: `Nuevo ${kind}`, coverKey: nothing() });
  const [after] = (await owner.api.products.list({ kind })).items;

  expect([created.status, edited.status]).toEqual([302, 302]);
  expect(next).toBe(`/${KINDS[kind].path}/${before!.id}/episodes/create`);
  expect(after).toMatchObject({ name: `Nuevo ${kind}`, cover: before!.cover });
});

test('a form creates an episode with its audio and its cover, and replaces the audio', async () => {
  const fields = { ...story, name: 'Uno', fileKey: await audio(), coverKey: await cover() };
  const created = await submit(`/podcasts/${show.id}/episodes/create`, fields);
  await checkNewAudio(runtime);
  const { items } = await owner.api.episodes.list({ kind: 'podcast', productId: show.id });
  const [{ id, fileName, hasOwnCover, status }] = items as [(typeof items)[number]];
  const changes = { ...story, name: 'Dos', publish: 'keep', fileKey: file(mp3(3), 'Dos.mp3', 'audio/mpeg') };
  const edited = await submit(`/podcasts/${show.id}/episodes/edit/${id}`, { ...changes, coverKey: nothing() });
  await checkNewAudio(runtime);

  expect([created.status, edited.status]).toEqual([302, 302]);
  expect({ fileName, hasOwnCover, status }).toEqual({ fileName: 'Uno.mp3', hasOwnCover: true, status: 'published' });
  expect(await owner.api.episodes.get({ id })).toMatchObject({ name: 'Dos', fileName: 'Dos.mp3', hasOwnCover: true });
});

test('a form with an error keeps its file, and is sent again without it', async () => {
  const fields = { ...about, kind: 'podcast', name: '', coverKey: await cover() };
  const refused = await submit('/products/create', fields);
  const html = await refused.text();
  const key = /<input type="hidden" name="coverKey" value="([0-9a-f]{32})"/.exec(html)?.[1] ?? '';
  const body = new FormData();
  for (const value of [key, nothing()]) body.append('coverKey', value);
  for (const [name, value] of Object.entries({ ...fields, name: 'Ahora', coverKey: '' }))
    if (name !== 'coverKey') body.append(name, value);
  const url = `${env.urls.appUrl}/products/create`;
  const accepted = await app.request(url, { method: 'POST', headers: signedIn, body });

  expect([refused.status, accepted.status]).toEqual([400, 302]);
  expect(html).toContain('Your file is uploaded');
});

test.each([
  ['is no picture by its name', () => file(Buffer.from('hola'), 'cover.pdf', 'application/pdf'), /JPEG/],
  ['is no picture by its bytes', () => file(Buffer.from('hola'), 'cover.png', 'image/png'), /picture/],
  ['is not square', async () => file(await picture(1400, 1500), 'c.png', 'image/png'), /Please crop image\./],
  ['is too large', () => file(Buffer.alloc(10_000_001), 'cover.png', 'image/png'), /File size too large\./],
])('a cover that %s is refused beside its field, and the other fields are kept', async (_, bad, message) => {
  const response = await submit('/products/create', { ...about, kind: 'podcast', name: 'Mala', coverKey: await bad() });
  const html = await response.text();

  expect([400, 413]).toContain(response.status);
  expect(/id="coverKey-error"[^>]*>([^<]*)/.exec(html)?.[1]).toMatch(message);
  expect(html).toContain('value="Mala"');
});

test('only logged-in users can send files, only where a field takes one, and only whole forms', async () => {
  const before = await tickets();
  const body = { ...about, kind: 'podcast', name: 'X', coverKey: file(Buffer.alloc(300_000), 'c.png', 'image/png') };
  const visitor = await submit('/products/create', body, { host, origin });
  const foreign = await submit('/products/create', body, { ...signedIn, origin: 'https://evil.example' });
  const unknown = await submit('/products/create', { ...about, kind: 'podcast', name: 'Y', promoKey: await audio() });
  const cut = await app.request(`${env.urls.appUrl}/products/create`, {
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nContent-Disposition: form-data; name="coverKey"; filename="c.png"\r\n\r\nabc',
  });

  expect([visitor.status, foreign.status, unknown.status, cut.status]).toEqual([413, 403, 400, 400]);
  expect((await tickets()) - before).toBeLessThanOrEqual(1);
});

const sendParts = (body: string) =>
  app.request(`${env.urls.appUrl}/products/create`, {
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'multipart/form-data; boundary=x' },
    body,
  });
const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test('neither many fields nor many parts fill the memory', async () => {
  const many = (count: number) => `${part('a', '').repeat(count)}--x--`;
  const text = `${part('a', 'x'.repeat(BODY_LIMITS.page / 2)).repeat(8)}--x--`;

  expect((await sendParts(text)).status).toBe(413);
  expect((await sendParts(many(FORM_LIMITS.parts + 1))).status).toBe(400);
  expect(await (await sendParts(many(FORM_LIMITS.parts - 1))).text()).toContain('<form');
});

test.each([
  ['no name', '--x\r\nContent-Disposition: form-data\r\n\r\nabc\r\n'],
  ['no headers', '--x\r\n\r\nabc\r\n'],
  ['a file without a name', '--x\r\nContent-Disposition: form-data; filename="a.png"\r\n\r\nabc\r\n'],
  [
    'an unknown character set',
    '--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=no\r\n\r\nb\r\n',
  ],
  ['the name of a prototype', part('__proto__', 'a')],
  ['a name of 200,000 characters', part('n'.repeat(200_000), 'a')],
])('a part with %s neither ends the process nor spoils the form', async (_, odd) => {
  const response = await sendParts(`${odd}${part('name', 'Ruido de fondo')}--x--`);

  expect(response.status).toBe(400);
  expect(await response.text()).toContain('value="Ruido de fondo"');
});
