import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { operatorActions, operators } from '~/db/schema/operators';
import { payouts } from '~/db/schema/payouts';
import { switches } from '~/db/schema/switches';
import { HOURS, later } from '~/server/base/time';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { protect } from '../support/second-factors';

const { runtime, env, make, lucia, tom, clock } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const olga = await protect({ runtime, make });
await db.insert(operators).values({ userId: olga.id, addedAt: clock.now, addedBy: 'test' });
const { email: olgaEmail } = (await db.select().from(users).where(eq(users.id, olga.id)))[0]!;

const PAGES = [
  '/admin',
  '/es/admin?search=lucia',
  '/admin/users?search=t',
  `/admin/users/${tom.id}`,
  '/admin/creators',
  `/es/admin/creators/${lucia.creatorId}`,
  '/admin/jobs?queue=episodes.go-live',
  '/admin/imports',
  '/es/admin/mail',
  '/admin/payouts?status=all',
  '/admin/books',
  '/es/admin/flags',
  '/admin/reports',
  '/admin/take-downs?target=show&id=7',
  '/admin/announcements',
];

async function send(token: string, path: string, form?: Record<string, string>) {
  const { host, origin } = new URL(env.urls.appUrl);
  const headers = { cookie: `token=${token}`, host, origin };
  const body = form && new URLSearchParams(form);
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers, ...(body && { method: 'POST', body }) });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

test.each(PAGES)('%s is there for an operator with a second factor only', async (path) => {
  expect((await send(tom.token, path)).status).toBe(404);
  expect((await send(lucia.token, path)).status).toBe(404);
  const { status, html } = await send(olga.token, path);

  expect(status).toBe(200);
  expect(html).toContain('href="/admin/users"'.replace('"/', path.startsWith('/es') ? '"/es/' : '"/'));
});

test('a form does one thing, which is written down with the operator’s address; others can send it in vain', async () => {
  const mia = await make.person();
  const path = `/admin/users/${mia.id}`;
  const suspended = async () => (await db.select().from(users).where(eq(users.id, mia.id)))[0]!.suspendedAt;

  expect((await send(tom.token, path, { intent: 'suspend', reason: 'x' })).status).toBe(404);
  expect((await send(olga.token, path, { intent: 'suspend', reason: ' ' })).status).toBe(400);
  expect((await send(olga.token, path, { intent: 'erase' })).status).toBe(400);
  expect(await suspended()).toBeNull();
  const { status, headers } = await send(olga.token, path, { intent: 'suspend', reason: 'Spam <b>' });
  expect([status, headers.get('location')]).toEqual([302, `${path}?done=operation_done`]);
  expect(await suspended()).not.toBeNull();
  expect((await send(olga.token, path, { intent: 'suspend', reason: 'again' })).html).toContain(
    'There is nothing to do',
  );
  expect((await send(olga.token, path)).html).toContain('Spam &lt;b&gt;');

  const trail = await db
    .select()
    .from(operatorActions)
    .where(eq(operatorActions.target, `user/${mia.id}`))
    .orderBy(operatorActions.id);
  expect(trail).toMatchObject([{ operator: olgaEmail, action: 'users.suspended', details: { reason: 'Spam <b>' } }]);
});

test('payouts are approved, written into a file for the bank and marked as paid', async () => {
  const facts = {
    creatorId: lucia.creatorId,
    currency: 'eur' as const,
    amountMinor: 60_00,
    holder: 'Lucía',
    requestedBy: lucia.id,
  };
  const to = { method: 'iban' as const, destination: 'ES9121000418450200051332', month: '2026-03' };
  const [row] = await db
    .insert(payouts)
    .values({ ...facts, ...to, requestedAt: clock.now })
    .returning();
  const id = row!.publicId;

  await send(olga.token, '/admin/payouts', { intent: 'approve', id });
  await send(olga.token, '/admin/payouts?status=approved', { intent: 'collect' });
  const { html } = await send(olga.token, '/admin/payouts?status=approved');
  const address = /href="(\/admin\/payouts\/transfers\.xml\?file=[^"]+)"/.exec(html)?.[1];
  const file = await send(olga.token, address!);

  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="payouts-\d+\.xml"$/);
  expect(file.html).toContain('<CtrlSum>60.00</CtrlSum>');
  expect((await send(lucia.token, address!)).status).toBe(404);
  expect((await send(olga.token, '/admin/payouts/transfers.xml?file=../x')).status).toBe(400);
  const sent = new URL(address!, 'http://x').searchParams.get('file')!;
  expect(html).toContain(`name="file" value="${sent}"`);
  await send(olga.token, '/admin/payouts', { intent: 'reverse', id, reason: 'Account closed', file: sent });
  expect((await db.select().from(payouts).where(eq(payouts.publicId, id)))[0]).toMatchObject({ status: 'reversed' });
});

test('switching a feature off keeps the exceptions that another operator has added meanwhile', async () => {
  const set = (form: Record<string, string>) => send(olga.token, '/admin/flags', { intent: 'set', ...form });
  const creatorId = lucia.creatorId!;
  const exceptions = async () => (await db.select().from(switches).where(eq(switches.name, 'uploads')))[0]!.creatorIds;
  const { html } = await send(olga.token, '/admin/flags');
  const [switchForm] = html.match(/<form[^>]*>(?:(?!<\/form>).)*value="uploads"(?:(?!<\/form>).)*role="switch"/s)!;
  const hidden = [...switchForm!.matchAll(/<input type="hidden" name="(\w+)" value="(\w*)"/g)];
  const asLoaded = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]));

  await set({ name: 'uploads', percent: '100', creatorIds: `${creatorId}` });
  expect((await set({ ...asLoaded, percent: '0' })).status).toBe(302);
  expect(await exceptions()).toEqual([creatorId]);
  await set({ name: 'uploads', percent: '100', creatorIds: '' });

  expect(await exceptions()).toEqual([]);
  const trail = await db
    .select()
    .from(operatorActions)
    .where(eq(operatorActions.target, 'switch/uploads'))
    .orderBy(operatorActions.id);
  expect(trail.map(({ details }) => (details as { creators: string }).creators)).toEqual([
    ...[`${creatorId}`, `${creatorId}`, ''],
  ]);
});

test.each([
  ['', ['Dispute 7', 'Fraud warning 3', 'Stripe']],
  ['/es', ['Disputa 7', 'Aviso de fraude 3', 'Stripe']],
])('the trail names objects without a page in words (%s)', async (prefix, names) => {
  const targets = ['dispute/7', 'warning/3', 'stripe'];
  const row = { operator: 'olga', action: 'disputes.accepted', at: clock.now };
  await db.insert(operatorActions).values(targets.map((target) => ({ ...row, target })));

  const { html } = await send(olga.token, `${prefix}/admin`);

  for (const name of names) expect(html).toContain(`>${name}<`);
  for (const target of targets) expect(html).not.toContain(`>${target}<`);
});

test('without a fresh proof, the pages show a form for the code and nothing else, and forms change nothing', async () => {
  const content = { topic: 'test', language: 'en' as const, subject: 'S', html: '<p>', text: 'S' };
  await db
    .insert(outbox)
    .values({ to: 'secret@mail.example', ...content, attempts: 3, failedAt: clock.now, failure: '550' });
  expect((await send(olga.token, '/admin/mail')).html).toContain('secret@mail.example');
  clock.now = later(clock.now, HOURS(1));

  const { status, html } = await send(olga.token, '/admin/mail');

  expect(status).toBe(200);
  expect(html).toContain('name="code"');
  expect(html).not.toContain('secret@mail.example');
  expect((await send(olga.token, '/admin/mail', { intent: 'resendAll' })).status).toBe(403);
  expect(await db.$count(outbox, eq(outbox.to, 'secret@mail.example'))).toBe(1);
  expect((await db.select().from(outbox).where(eq(outbox.to, 'secret@mail.example')))[0]!.failedAt).not.toBeNull();
});
