import { expect, test } from 'vitest';
import { CREATOR_LIMITS } from '~/server/limits/creators';
import { CHAPTER_LIMITS, EPISODE_LIMITS } from '~/server/limits/episodes';
import { FORM_LIMITS } from '~/server/limits/http';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { lucia, podcast, episodes, sendRaw } = await attackedServer();

const ROWS = 1000;
/** Empty rows that a form shows for the next ones. */
const SPARE = 4;

const FORM = 'application/x-www-form-urlencoded';

const post = (path: string, fields: Record<string, string>) => send(path, new URLSearchParams(fields).toString());

async function send(path: string, body: string, type = FORM) {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${APP_HOST}`,
    `Origin: http://${APP_HOST}`,
    `Cookie: token=${lucia.token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ];
  return sendRaw(`${head.join('\r\n')}\r\n\r\n`, body);
}

const rows = (toField: (row: number) => string, text: string) =>
  Object.fromEntries(Array.from({ length: ROWS }, (_, row) => [toField(row), text]));

const { id } = episodes.podcast.public;
const episodesPath = `/podcasts/${podcast.id}/episodes`;

test.each([
  ['chapters', `${episodesPath}/${id}/chapters`, (row: number) => `chapters.${row}.title`, CHAPTER_LIMITS.count],
  ['people', `${episodesPath}/edit/${id}`, (row: number) => `personName${row}`, EPISODE_LIMITS.people],
  ['testimonials', '/creator-page/links', (row: number) => `testimonials.${row}.text`, CREATOR_LIMITS.testimonials],
  ['links', '/creator-page/links', (row: number) => `links.${row}.label`, CREATOR_LIMITS.links],
] as const)('a form shows no more rows of %s than it can have', async (_, path, field, limit) => {
  // an error of another field, so that the form is shown again
  const { status, body } = await post(path, { ...rows(field, 'x'), name: '' });

  const [before = '', after = ''] = field(7777).split('7777');
  const shown = new Set([...body.matchAll(/ name="([^"]+)"/g)].map(([, name = '']) => name));
  const shownRows = [...shown].filter((name) => name.startsWith(before) && name.endsWith(after));
  expect(status).toBe(400);
  expect(shownRows.length).toBeGreaterThan(0);
  expect(shownRows.length).toBeLessThanOrEqual(limit + SPARE);
});

test('a form with more fields than any page has is refused before it is parsed', async () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, '']));

  const [most, more] = [await post('/login', fields(FORM_LIMITS.fields)), await post('/login', fields(2001))];

  expect([most.status, more.status]).toEqual([302, 413]);
});

test('text in which the separator of fields occurs often is no form of many fields', async () => {
  const text = '&\n'.repeat(3000);
  const part = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain';
  const transcript = `--x\r\n${part}\r\n\r\n${text}\r\n--x--\r\n`;

  const answers = [
    await send(`${episodesPath}/${id}/transcript`, transcript, 'multipart/form-data; boundary=x'),
    await send('/trpc/accounts.logIn', JSON.stringify({ email: text, password: text }), 'application/json'),
  ];

  expect(answers.map(({ status }) => status)).not.toContain(413);
});
