import { asc, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { affiliateDays, affiliateLinks, affiliateVisits, referrals } from '~/db/schema/affiliates';
import { DAYS, later } from '~/server/base/time';
import { joinProgramme } from '~/server/domain/affiliates/join-programme';
import { noteReferral } from '~/server/domain/affiliates/note-referral';
import { sweepVisits } from '~/server/domain/affiliates/visit-link';
import { RATE_LIMITS } from '~/server/limits/http';
import { noteReferral as noteJob } from '~/server/queue/jobs/affiliates';
import { systemCtx } from '~/server/runtime/runtime';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { browser as openBrowser } from '../support/browser';
import { PASSWORD } from '../support/make';
import { runJobs } from '../support/run-jobs';

const { runtime, ctxOf, make, lucia, podcast, sendRaw, clock } = await attackedServer();
const { db } = runtime;
const START = clock.now;
const CREATOR_HOST = `staging-${lucia.domain}.altavoz.localhost:3000`;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const OPENED = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  accept: 'text/html',
  'user-agent': FIREFOX,
};

async function linkOf(person: Awaited<ReturnType<typeof make.creator>>) {
  await joinProgramme(ctxOf(person));
  const [link] = await db.select().from(affiliateLinks).where(eq(affiliateLinks.creatorId, person.creatorId));
  return { id: link!.id, code: link!.code! };
}
const [first, second] = [await linkOf(lucia), await linkOf(await make.creator())];

beforeEach(async () => {
  clock.now = START;
  await db.delete(affiliateVisits);
  await db.delete(affiliateDays);
  await db.execute('delete from rate_limits');
});

type Sent = { headers?: Record<string, string>; host?: string; method?: string };
async function visit(path: string, { headers = OPENED, host = APP_HOST, method = 'GET' }: Sent = {}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status, head } = await sendRaw(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}Connection: close\r\n\r\n`,
  );
  const of = (name: string) => new RegExp(`^${name}: ([^\r]*)`, 'im').exec(head)?.[1] ?? null;
  return { status, location: of('location'), cookie: of('set-cookie'), cache: of('cache-control') };
}
const kept = (cookie: string | null) => cookie!.split(';', 1)[0]!;
const remembering = (cookie: string | null) => ({ headers: { ...OPENED, cookie: kept(cookie) } });
const visitsOf = async () =>
  (await db.select().from(affiliateDays).orderBy(asc(affiliateDays.linkId), asc(affiliateDays.day))).map(
    ({ linkId, visits }) => [linkId, visits],
  );

test('a person who opens a link is led to the page without it, remembered for 40 days, and counted', async () => {
  const answer = await visit(`/pricing?period=year&ref=${first.code}&utm_source=mail`);

  expect(answer).toMatchObject({ status: 302, location: '/pricing?period=year&utm_source=mail', cache: 'no-store' });
  expect(answer.cookie).toMatch(
    new RegExp(
      `^affiliate=${first.code}\\..*; Max-Age=3456000; Domain=altavoz.localhost; Path=/; HttpOnly; SameSite=Lax$`,
    ),
  );
  expect(await visitsOf()).toEqual([[first.id, 1]]);
});

test.each<[string, Sent]>([
  ['a frame', { headers: { ...OPENED, 'sec-fetch-dest': 'iframe' } }],
  ['a picture', { headers: { ...OPENED, 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' } }],
  ['a script’s fetch', { headers: { ...OPENED, 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' } }],
  ['a prefetch', { headers: { ...OPENED, 'sec-purpose': 'prefetch' } }],
  ['a prerendering', { headers: { ...OPENED, 'sec-purpose': 'prefetch;prerender' } }],
  ['an old browser’s picture', { headers: { accept: 'image/png,*/*', 'user-agent': FIREFOX } }],
  ['a bot', { headers: { ...OPENED, 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' } }],
  ['a tool', { headers: { accept: 'text/html', 'user-agent': 'curl/8.5.0' } }],
  ['HEAD', { method: 'HEAD' }],
])('%s gets the redirect, and neither a cookie nor a count', async (_, sent) => {
  const answer = await visit(`/?ref=${first.code}`, sent);

  expect(answer).toMatchObject({ status: 302, location: '/', cookie: null });
  expect(await visitsOf()).toEqual([]);
});

test('an old browser without Sec-Fetch headers that asks for HTML counts', async () => {
  const { cookie } = await visit(`/?ref=${first.code}`, { headers: { accept: 'text/html', 'user-agent': FIREFOX } });

  expect(cookie).toContain(`affiliate=${first.code}.`);
});

test.each(['unknown-code', '', 'x', '%00', 'a'.repeat(500), encodeURIComponent('; Domain=evil'), '%E0%A4%A'])(
  'the code %s leads to the page, without a cookie',
  async (code) => {
    expect(await visit(`/es/precios?ref=${code}`)).toMatchObject({
      status: 302,
      location: '/es/precios',
      cookie: null,
    });
  },
);

test('a browser counts once a day for each link, and the first link stays until it expires', async () => {
  const { cookie } = await visit(`/?ref=${first.code}`);
  const again = await visit(`/?ref=${first.code}`, remembering(cookie));
  const other = await visit(`/?ref=${second.code}`, remembering(cookie));
  const sums = await visitsOf();
  clock.now = later(START, DAYS(1));
  await visit(`/?ref=${first.code}`, remembering(cookie));
  clock.now = later(START, DAYS(40));
  const expired = await visit(`/?ref=${second.code}`, remembering(cookie));

  expect([again.cookie, other.cookie]).toEqual([null, null]);
  expect(sums).toEqual([
    [first.id, 1],
    [second.id, 1],
  ]);
  expect(expired.cookie).toContain(`affiliate=${second.code}.`);
  expect(await visitsOf()).toEqual([
    [first.id, 1],
    [first.id, 1],
    [second.id, 1],
    [second.id, 1],
  ]);
});

test('many visits at once by one browser are one', async () => {
  const { cookie } = await visit(`/?ref=${first.code}`);
  clock.now = later(START, DAYS(1));

  await Promise.all(Array.from({ length: 5 }, () => visit(`/?ref=${first.code}`, remembering(cookie))));

  expect(await visitsOf()).toEqual([
    [first.id, 1],
    [first.id, 1],
  ]);
});

test('a forged cookie names no link and no browser', async () => {
  const { cookie } = await visit(`/?ref=${first.code}`);
  const forged = kept(cookie).replace(first.code, second.code);
  const { api } = await openBrowser(runtime, { affiliate: forged.slice('affiliate='.length) });

  await api.accounts.signUp({ name: 'Eva', email: 'eva@mail.example', password: PASSWORD, country: 'ES', terms: true });

  const [eva] = await db.select().from(users).where(eq(users.email, 'eva@mail.example'));
  expect(eva!.signUpSource).toBeNull();
});

test('creators’ pages do not count links, on their host and below the app’s', async () => {
  const path = `/p/${podcast.slug}`;

  expect((await visit(`${path}?ref=${first.code}`, { host: CREATOR_HOST })).cookie).toBeNull();
  expect((await visit(`/@${lucia.domain}${path}?ref=${first.code}`)).cookie).toBeNull();
  expect(await visitsOf()).toEqual([]);
});

test('a network that follows links again and again is no longer counted, but its people are remembered', async () => {
  const { points } = RATE_LIMITS.followAffiliateLink;
  for (let at = 0; at < points; at++) await visit(`/?ref=unknown-${at}`);

  const { status, location, cookie } = await visit(`/?ref=${first.code}`);
  expect([status, location]).toEqual([302, '/']);
  expect(kept(cookie)).toContain(`affiliate=${first.code}.`);
  expect(await visitsOf()).toEqual([]);
});

test('a sign-up and a claimed page after the link are one referral of its affiliate', async () => {
  const { cookie } = await visit(`/register?ref=${first.code}`);
  const jar = { affiliate: kept(cookie).slice('affiliate='.length) };
  const { api, cookies } = await openBrowser(runtime, jar);
  const person = { name: 'Iris', email: 'iris@mail.example', password: PASSWORD, country: 'ES', terms: true };
  const { user } = await api.accounts.signUp(person);
  const claiming = await openBrowser(runtime, { ...jar, token: cookies().token! });
  await claiming.api.creators.claim({
    name: 'Iris',
    domain: 'iris-radio',
    timeZone: 'UTC',
    birthDate: '1990-01-01',
  } as never);

  while ((await runJobs(runtime, noteJob.name, (payload, ctx) => noteReferral(ctx, payload))) > 0);

  const found = await db.select().from(referrals).orderBy(referrals.id);
  expect(found).toMatchObject([{ userId: user.id, linkId: first.id, refusedFor: null }]);
});

test('old visits are deleted: browsers after 40 days, sums after 13 months', async () => {
  const days = ['2025-02-01', '2025-02-02', '2026-01-01', '2026-03-01'];
  await db.insert(affiliateVisits).values(days.map((day) => ({ linkId: first.id, day, visitor: 'v' })));
  await db.insert(affiliateDays).values(days.map((day) => ({ linkId: first.id, day, visits: 2 })));
  clock.now = new Date('2026-03-02T03:05:00Z');

  await sweepVisits({ ...systemCtx(runtime, 'test'), now: () => clock.now });

  const left = async (table: typeof affiliateVisits | typeof affiliateDays) =>
    (await db.select({ day: table.day }).from(table).orderBy(asc(table.day))).map(({ day }) => day);
  expect([await left(affiliateVisits), await left(affiliateDays)]).toEqual([
    ['2026-03-01'],
    ['2025-02-02', '2026-01-01', '2026-03-01'],
  ]);
});
