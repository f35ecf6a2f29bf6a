import { and, desc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { later, MINUTES } from '~/server/base/time';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, clock, checkNewAudio } = await cast();
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)![0];

async function newcomer() {
  const creator = await make.creator({ name: 'Nora' });
  await runtime.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, creator.id));
  const headers = { cookie: `token=${creator.token}`, host, origin };
  const read = async (path: string) =>
    mainOf(await (await app.request(`${env.urls.appUrl}${path}`, { headers })).text());
  const send = (path: string, fields: Record<string, string>) =>
    app.request(`${env.urls.appUrl}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
  return { creator, read, send };
}

async function codeFor(to: string): Promise<string> {
  const [email] = await runtime.db
    .select({ text: outbox.text })
    .from(outbox)
    .where(and(eq(outbox.to, to), eq(outbox.topic, 'verify_email')))
    .orderBy(desc(outbox.createdAt))
    .limit(1);
  return /code: (\d{6})/.exec(email!.text)![1]!;
}

test('every page of the studio asks for the code until the address is verified, and names what waits', async () => {
  const { creator, read, send } = await newcomer();
  const show = await make.product(creator, { name: 'Mareas' });
  const { id } = await make.draft(creator, show, { name: 'La <primera>' });
  await checkNewAudio();

  for (const path of ['/dashboard', '/es/products', `/podcasts/${show.id}`, '/profile', '/start/share'])
    expect(await read(path), path).toContain(`action="${path.startsWith('/es') ? '/es' : ''}/verify-email"`);
  expect(await read('/dashboard')).toContain(creator.email);
  expect(await read('/dashboard')).toContain('Then “La &lt;primera&gt;” will be published.');
  expect(await read(`/podcasts/${show.id}/episodes/${id}`)).toContain('Will be published once your email address');
  await runtime.db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, creator.id));

  expect(await read('/dashboard')).not.toContain('/verify-email');
  expect((await send('/verify-email', { code: '1' })).status).toBe(400);
});

test('without JavaScript, the code is entered on the page of the link, which says what is wrong', async () => {
  const { creator, read, send } = await newcomer();
  clock.now = later(clock.now, MINUTES(1));
  const sent = mainOf(await (await send('/verify-email', {})).text());
  const code = await codeFor(creator.email);
  const wrong = await send('/verify-email', { code: String((Number(code) + 1) % 1_000_000).padStart(6, '0') });
  const right = await send('/verify-email', { code });

  expect(sent).toContain('We sent you a new link and code.');
  expect(wrong.status).toBe(400);
  expect(mainOf(await wrong.text())).toContain('This code is wrong.');
  expect(mainOf(await right.text())).toContain('Email address verified');
  expect(await read('/verify-email')).toContain('Email address verified');
});

test('in another browser, the link verifies nothing, and leads to a log-in that comes back to it', async () => {
  const { creator, read, send } = await newcomer();
  const visitor = { host, origin };
  clock.now = later(clock.now, MINUTES(1));
  await send('/verify-email', {});
  const [email] = await runtime.db
    .select({ text: outbox.text })
    .from(outbox)
    .where(and(eq(outbox.to, creator.email), eq(outbox.topic, 'verify_email')))
    .orderBy(desc(outbox.createdAt))
    .limit(1);
  const link = /\/verify-email\?token=[\w-]+/.exec(email!.text)![0];
  const path = env.urls.appUrl + link;

  const elsewhere = mainOf(await (await app.request(path, { headers: visitor })).text());
  const body = new URLSearchParams({ token: link.slice(link.indexOf('=') + 1) });
  const pressed = await app.request(path, { method: 'POST', headers: visitor, body });

  expect(elsewhere).not.toContain('Verify my address');
  expect(elsewhere).toContain(`href="/login?next=${encodeURIComponent(link)}"`);
  expect(elsewhere).toContain('href="/login/forgot-password"');
  expect(pressed.status).toBe(409);
  expect(await read(link)).toContain('Verify my address');
  expect(mainOf(await (await send(link, Object.fromEntries(body))).text())).toContain('Email address verified');
});
