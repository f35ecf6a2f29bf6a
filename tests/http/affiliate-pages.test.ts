import { expect, test } from 'vitest';
import { members } from '~/db/schema/team';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true });
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;

async function open(path: string, { token = '' } = {}) {
  const response = await app.request(appUrl + path, { headers: { cookie: token && `token=${token}` } });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}
async function send(token: string, values: Record<string, string>) {
  const { host, origin } = new URL(appUrl);
  const headers = { host, origin, cookie: `token=${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(values);
  const response = await app.request(`${appUrl}/affiliates`, { method: 'POST', headers, body });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}

test('without a script, an owner joins, adds a link, and sees both; a wrong code shows its reason', async () => {
  const owner = await make.creator({ domain: 'marea' });
  const before = await open('/affiliates', owner);

  const joined = await send(owner.token, { intent: 'join' });
  const wrong = await send(owner.token, { intent: 'add', name: 'Boletín', linkCode: 'no' });
  const added = await send(owner.token, { intent: 'add', name: 'Boletín', linkCode: ' Marea-News ' });

  const after = await open('/affiliates', owner);
  expect(before.html).toContain('Accept the rules and join');
  expect([joined.status, joined.location]).toEqual([302, '/affiliates?done=affiliate_joined']);
  expect([wrong.status, wrong.html.includes('4 to 32 letters')]).toEqual([400, true]);
  expect(added.location).toBe('/affiliates?done=affiliate_link_added');
  for (const text of ['/?ref=marea<', '/?ref=marea-news<', 'Boletín']) expect(after.html).toContain(text);
});

test('members of the team have no page of affiliates, and a person without a page claims one first', async () => {
  const [owner, member, person] = [await make.creator(), await make.person(), await make.person()];
  await runtime.db.insert(members).values({ creatorId: owner.creatorId, userId: member.id, role: 'finance' });

  expect((await open('/affiliates', person)).location).toMatch(/^\/start\/page/);
  expect((await open('/affiliates')).location).toMatch(/^\/login/);
  const { token } = await runtime.sessions.start(member.id, { channel: 'web', userAgent: '', country: null });
  expect((await open('/affiliates', { token })).status).toBe(403);
});

test('the public page states the rules in both languages, and its slug follows the language', async () => {
  const [en, es] = [await open('/affiliate-program'), await open('/es/programa-de-afiliados')];

  for (const text of ['20%', '12 months', '40 days', '30 days', '€1.80', '€21.60', 'next=%2Faffiliates'])
    expect(en.html).toContain(text);
  for (const text of ['12 meses', '40 días', '30 días', 'next=%2Fes%2Faffiliates']) expect(es.html).toContain(text);
  expect(await open('/es/affiliate-program')).toMatchObject({ status: 301, location: '/es/programa-de-afiliados' });
});
