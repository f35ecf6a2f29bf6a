import { expect, test, vi } from 'vitest';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(process.stderr, 'write')];
const { lucia, tom, podcast, faults, sendRaw } = await attackedServer();
const CREATOR_HOST = `staging-${lucia.domain}.altavoz.localhost:3000`;
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const JSON_TYPE = 'Content-Type: application/json';

type Fault = [method: string, host: string, path: string, header: string, body?: string];
const FAULTS: Fault[] = [
  ['GET', APP_HOST, '/nothing-here', ''],
  ['GET', APP_HOST, '/nothing-here.data', ''],
  ['GET', APP_HOST, '/?_data=root', ''],
  ['GET', APP_HOST, '/login?_data=routes/none', ''],
  ['POST', APP_HOST, '/?_data=root', FORM, 'a=1'],
  ['GET', APP_HOST, '/__manifest', ''],
  ['GET', APP_HOST, '/__manifest?p=/a&p=/b&version=x', ''],
  ['GET', APP_HOST, '/login.data?_routes=none', ''],
  ['POST', APP_HOST, '/', FORM, 'a=1'],
  ['POST', APP_HOST, '/.data', FORM, 'a=1'],
  ['POST', APP_HOST, '/_root.data', FORM, 'a=1'],
  ['PUT', APP_HOST, '/login', FORM, 'a=1'],
  ['DELETE', APP_HOST, '/nothing-here', ''],
  ['OPTIONS', APP_HOST, '/login', ''],
  ['PROPFIND', APP_HOST, '/login', ''],
  ['POST', APP_HOST, '/login', JSON_TYPE, '{}'],
  ['POST', APP_HOST, '/login', 'Content-Type: multipart/form-data; boundary=x', 'a'],
  ['POST', APP_HOST, '/login.data', JSON_TYPE, '{}'],
  ['POST', CREATOR_HOST, '/', FORM, 'a=1'],
  ['POST', CREATOR_HOST, `/p/${podcast.slug}`, FORM, 'a=1'],
  ['GET', CREATOR_HOST, '/p/none', ''],
  ['GET', CREATOR_HOST, '/p/%zz', ''],
  ['GET', CREATOR_HOST, '/p//x', ''],
  ['GET', APP_HOST, '/audio//%7B%7D', ''],
  ['GET', APP_HOST, '//evil.example//x', ''],
  ['GET', APP_HOST, '/products/999999', `Cookie: token=${tom.token}`],
  ['GET', APP_HOST, '/podcasts/999999', `Cookie: token=${lucia.token}`],
  ['GET', APP_HOST, '/podcasts/abc.data', `Cookie: token=${lucia.token}`],
  ['GET', APP_HOST, '/trpc/none', ''],
  ['POST', APP_HOST, '/trpc/accounts.logIn', JSON_TYPE, '{'],
  ['GET', APP_HOST, '/trpc/accounts.me', ''],
  ['GET', APP_HOST, '/api/none/', ''],
  ['POST', APP_HOST, '/api/auth/login/', JSON_TYPE, '{'],
  ['GET', APP_HOST, '/uploads/none', ''],
  ['GET', APP_HOST, '/audio/1/%zz.mp3', ''],
  ['GET', APP_HOST, '/media/%00', ''],
];

test.each(FAULTS)('%s %s%s is the client’s fault: no error is logged, and nothing is printed', async (...fault) => {
  const [method, host, path, header, body = ''] = fault;
  const before = [faults().length, printed.map(({ mock }) => mock.calls.length)];

  const { status } = await sendRaw(
    [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...(header ? [header] : []), `Content-Length: ${body.length}`].join(
      '\r\n',
    ),
    `\r\n\r\n${body}`,
  );

  expect(status).toBeLessThan(500);
  expect(faults().slice(Number(before[0]))).toEqual([]);
  expect(printed.map(({ mock }) => mock.calls.length)).toEqual(before[1]);
});

test('an object with thousands of unknown fields is rejected before they are read', async () => {
  const input = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`unknown${i}`, 1]));
  const body = JSON.stringify({ json: { country: 'ES', ...input } });
  const head = `POST /trpc/accounts.update HTTP/1.1\r\nHost: ${APP_HOST}\r\nCookie: token=${lucia.token}\r\n${JSON_TYPE}\r\n`;

  const answer = await sendRaw(`${head}Content-Length: ${body.length}\r\n\r\n`, body);

  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body).error.json.data).toMatchObject({
    app: { code: 'common.too_many_fields' },
    fields: {},
  });
});
