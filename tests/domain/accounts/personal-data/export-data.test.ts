import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { and, eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { accountExports, users } from '~/db/schema/accounts';
import { affiliateLinks, affiliates, referrals } from '~/db/schema/affiliates';
import { contacts } from '~/db/schema/audience';
import { buyerNotes, messageOptOuts } from '~/db/schema/buyers';
import { checkouts } from '~/db/schema/checkouts';
import { announcements } from '~/db/schema/episode-parts';
import { gifts } from '~/db/schema/gifts';
import { outbox } from '~/db/schema/notifications';
import { activity, members } from '~/db/schema/team';
import { deleteDueAccount } from '~/jobs/handlers/deletion';
import { DAYS, HOURS, later } from '~/server/base/time';
import { buildExport, sweepExports } from '~/server/domain/accounts/personal-data/export-data';
import { writePersonalData } from '~/server/domain/accounts/personal-data/zipped-files';
import { sendMessage } from '~/server/domain/support/contact-support';
import { exportsDoor } from '~/server/doors/files/exports';
import { EXPORT_LIMITS } from '~/server/limits/accounts';
import { systemCtx } from '~/server/runtime/runtime';
import '../../../support/matchers';
import { cast } from '../../../support/cast';
import type { Person } from '../../../support/make';
import { runJobs } from '../../../support/run-jobs';
import { unzip } from '../../../support/zip';

const { runtime, clock, make, ctxOf, checkNewAudio } = await cast();
const { db } = runtime;
const { storage } = runtime.ports;
const ctx = systemCtx(runtime, 'accounts.build-export');

const door = exportsDoor(runtime, 0);
const server = http.createServer((req, res) => void door(req, res)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => void server.close());

const buildAll = () => runJobs(runtime, 'accounts.build-export', (job, jobCtx) => buildExport(jobCtx, job));

/** The path and query of the link in the person's last email. */
async function linkOf({ email }: { email: string }): Promise<string> {
  const mails = await db
    .select()
    .from(outbox)
    .where(and(eq(outbox.to, email), eq(outbox.topic, 'export_ready')))
    .orderBy(outbox.createdAt);
  const { pathname, search } = new URL(/http\S+\/exports\/\S+/.exec(mails.at(-1)!.text)![0]);
  return pathname + search;
}

async function exported(person: Person): Promise<string> {
  await person.api.accounts.requestExport();
  await buildAll();
  return linkOf(person);
}

const read = (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { headers });
const statusOf = async (path: string) => (await read(path)).status;

test('the archive has everything held about a creator, and no secrets', async () => {
  const creator = await make.creator({ name: 'Lucía' });
  const show = await creator.api.products.create(await make.productInput(creator));
  const episode = await make.draft(creator, show, { name: 'Primera ola' });
  await checkNewAudio();
  const contact = { creatorId: creator.creatorId, source: 'form', status: 'active', language: 'en' } as const;
  await db.insert(contacts).values([
    { ...contact, email: 'fan@mail.example' },
    { ...contact, email: creator.email },
  ]);
  const fan = await make.person();
  await db.insert(buyerNotes).values({ creatorId: creator.creatorId, userId: fan.id, text: 'Met at the fair' });
  await sendMessage(ctxOf(creator), { name: 'L', email: creator.email, subject: 'Question', text: 'T' });

  const response = await read(await exported(creator));
  const files = unzip(Buffer.from(await response.arrayBuffer()));

  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="altavoz-2026-03-02.zip"');
  const folder = `shows/${show.id}-${show.slug}`;
  const audio = `${folder}/${episode.id}-${episode.slug}.mp3`;
  const names = ['README.txt', 'account.json', 'emails.json', 'contact-messages.json', 'reports.json', 'uploads.json'];
  const paid = ['donations.json', 'receipts.json', 'access.json', 'gifts.json'];
  const stopped = ['messages-from-creators.json', 'stopped-messages.json'];
  const elsewhere = [
    'teams.json',
    'affiliates.json',
    'activity.json',
    'newsletters.json',
    'notes-about-you.json',
    ...stopped,
    ...paid,
  ];
  expect([...files.keys()]).toEqual([
    ...names,
    ...elsewhere,
    ...['private-feeds.json', 'announcements.json', 'positions.json'],
    ...['creator-page.json', 'shows.json', 'notes-about-people.json', 'messages-to-people.json', 'contacts.json'],
    ...['donation-settings.json', 'donations-received.json', 'statistics.csv', 'imported-statistics.csv'],
    ...[`${folder}/cover.jpg`, `${folder}/episodes.json`, `${folder}/transcripts.json`, audio],
  ]);
  const text = (name: string) => files.get(name)!.toString();
  expect(JSON.parse(text('account.json'))[0].account).toMatchObject({ email: creator.email, hasPassword: true });
  expect(JSON.parse(text('shows.json'))).toMatchObject([{ id: show.id, slug: show.slug }]);
  expect(JSON.parse(text(`${folder}/episodes.json`))).toMatchObject([{ name: 'Primera ola' }]);
  expect(JSON.parse(text('contact-messages.json'))).toMatchObject([{ subject: 'Question' }]);
  expect(JSON.parse(text('contacts.json'))).toMatchObject([{ email: 'fan@mail.example' }, { email: creator.email }]);
  expect(JSON.parse(text('newsletters.json'))).toMatchObject([{ creator: 'Lucía', status: 'active' }]);
  const note = { text: 'Met at the fair' };
  expect(JSON.parse(text('notes-about-people.json'))).toMatchObject([{ ...note, userId: fan.id }]);
  const own = unzip(Buffer.from(await (await read(await exported(fan))).arrayBuffer()));
  expect(JSON.parse(String(own.get('notes-about-you.json')))).toMatchObject([{ ...note, creator: 'Lucía' }]);
  expect(text('README.txt')).toContain('everything that we hold about Lucía');
  const [stored] = await storage.list(`audio/${creator.creatorId}/`, 1);
  expect(files.get(audio)).toEqual(await buffer(await storage.read(stored!.key)));
  const all = [...files.values()].map(String).join();
  expect(all).not.toContain('$argon2');
  expect(all).not.toMatch(/(?:token|signature)=[\w-]/);
});

test('the archive names every creator whose messages a person has stopped, page by page', async () => {
  const person = await make.person();
  const { id: userId } = person;
  const owners = [await make.creator(), await make.creator(), await make.creator()];
  const rows = owners.map(({ creatorId }) => ({ userId, creatorId, createdAt: runtime.now() }));
  await db.insert(messageOptOuts).values(rows);
  const limits = EXPORT_LIMITS as { page: number };
  const { page } = limits;

  limits.page = 2;
  const files = unzip(Buffer.from(await (await read(await exported(person))).arrayBuffer()));
  limits.page = page;

  expect(JSON.parse(String(files.get('stopped-messages.json')))).toMatchObject(
    owners.map(({ creatorId }) => ({ userId, creatorId })),
  );
});

test('the archive of a member has the teams, the member’s actions, access and announcements', async () => {
  const owner = await make.creator();
  const show = await make.product(owner);
  const [episode] = await make.episodes(show, 1);
  const person = await make.person();
  await owner.api.team.invite({ email: person.email, role: 'analyst' });
  await db.insert(members).values({ creatorId: owner.creatorId, userId: person.id, role: 'editor' });
  await db.insert(grants).values({ userId: person.id, productId: show.id, source: 'follow' });
  await db.insert(announcements).values({ userId: person.id, episodeId: episode!.id });
  const did = { creatorId: owner.creatorId, userId: person.id, action: 'product.updated', at: runtime.now() };
  await db.insert(activity).values(did);
  await db.insert(affiliates).values({ creatorId: owner.creatorId, termsAcceptedAt: runtime.now() });
  const ofOwner = { creatorId: owner.creatorId, name: 'Boletín', code: 'lucia-news', createdAt: runtime.now() };
  const [link] = await db.insert(affiliateLinks).values(ofOwner).returning();
  await db.insert(referrals).values({ linkId: link!.id, userId: person.id, createdAt: runtime.now() });
  const expiresAt = runtime.now();
  const terms = { name: 'Gift', priceMinor: 500, currency: 'eur', every: null } as const;
  const paid = { id: randomUUID(), purpose: 'gift', userId: person.id, terms, language: 'es', expiresAt } as const;
  await db.insert(checkouts).values(paid);
  const gift = { productId: show.id, giverId: person.id, giverName: 'Tu prima', recipientName: 'Ana', expiresAt };
  await db.insert(gifts).values({ ...gift, checkoutId: paid.id, tokenHash: 'hash', sealedToken: 'sealed' });

  const files = unzip(Buffer.from(await (await read(await exported(person))).arrayBuffer()));
  const rows = (name: string) => JSON.parse(files.get(name)!.toString());

  const { creatorId } = owner;
  const [teams] = rows('teams.json');
  expect(teams).toMatchObject({ memberships: [{ creatorId, role: 'editor' }], invitations: [{ role: 'analyst' }] });
  expect(rows('activity.json')).toMatchObject([{ creatorId, action: 'product.updated' }]);
  expect(rows('affiliates.json')).toMatchObject([{ links: [], came: { code: 'lucia-news', refusedFor: null } }]);
  expect(rows('access.json')).toMatchObject([{ productId: show.id, source: 'follow' }]);
  expect(rows('announcements.json')).toMatchObject([{ episodeId: episode!.id }]);
  expect(rows('gifts.json')).toMatchObject([{ given: { giverName: 'Tu prima', recipientName: 'Ana' } }]);
  expect([...files.values()].map(String).join()).not.toContain('tokenHash');
});

test('an archive is written in chunks, however large its files are', async () => {
  const CHUNK = Buffer.alloc(256 * 1024, 7);
  let produced = 0;
  const large = new Proxy(storage, {
    get: (target, name) =>
      name === 'head'
        ? async () => ({ bytes: 1 })
        : name === 'read'
          ? async () =>
              Readable.from(
                (function* () {
                  for (let i = 0; i < 100; i += 1) {
                    produced += CHUNK.length;
                    yield CHUNK;
                  }
                })(),
              )
          : Reflect.get(target, name),
  });
  async function* files() {
    for (const name of ['a', 'b', 'c']) yield { name: `${name}.mp3`, key: name };
  }

  const archive = writePersonalData({ ...ctx, ports: { ...ctx.ports, storage: large } }, files());
  let received = 0;
  let most = 0;
  for await (const chunk of archive) {
    received += (chunk as Buffer).length;
    most = Math.max(most, produced - received);
  }

  expect(received).toBeGreaterThan(75 * 1024 * 1024);
  expect(most).toBeLessThan(8 * 1024 * 1024);
});

test('one archive per day; a job that runs again changes nothing', async () => {
  const person = await make.person();
  const link = await exported(person);

  await expect(person.api.accounts.requestExport()).toFailWith('account.exported_today');
  const [row] = await db.select().from(accountExports).where(eq(accountExports.userId, person.id));
  await buildExport(ctx, { exportId: row!.id });
  const start = clock.now;
  clock.now = later(start, DAYS(1));
  await expect(person.api.accounts.requestExport()).resolves.toBeUndefined();
  clock.now = start;

  const sent = and(eq(outbox.to, person.email), eq(outbox.topic, 'export_ready'));
  expect(await db.$count(outbox, sent)).toBe(1);
  expect(await statusOf(link)).toBe(200);
});

test('a download that broke is continued', async () => {
  const link = await exported(await make.person());
  const whole = Buffer.from(await (await read(link)).arrayBuffer());

  const rest = await read(link, { range: 'bytes=100-' });

  expect([rest.status, rest.headers.get('content-range')]).toEqual([
    206,
    `bytes 100-${whole.length - 1}/${whole.length}`,
  ]);
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(whole.subarray(100));
});

test('a link opens only its own archive, for 24 hours', async () => {
  const [victim, attacker] = [await make.person(), await make.person()];
  const [wanted, own] = [await exported(victim), await exported(attacker)];
  const [id] = /[\da-f-]{36}/.exec(wanted)!;
  const expires = Number(new URL(own, origin).searchParams.get('expires'));
  const forged = [
    own.replace(/[\da-f-]{36}/, id!),
    wanted.replace(/signature=.*/, ''),
    wanted.replace(/signature=.{4}/, 'signature=AAAA'),
    wanted.replace(/expires=\d+/, `expires=${expires + DAYS(30)}`),
    wanted.replace(/expires=\d+/, 'expires=9e99'),
    `/exports/${id}.zip`,
  ];

  for (const path of forged) expect([path, await statusOf(path)]).toEqual([path, 410]);
  expect([await statusOf(wanted), await statusOf(wanted)]).toEqual([200, 200]);
  const start = clock.now;
  clock.now = later(start, EXPORT_LIMITS.lifetime);
  expect(await statusOf(wanted)).toBe(410);
  // before and after the object is deleted
  await sweepExports(ctx);
  expect(await storage.list('exports/', 100)).toEqual([]);
  clock.now = start;
  expect(await statusOf(wanted)).toBe(410);
});

test('deleting the account deletes its archive, also one that is being prepared', async () => {
  const person = await make.person();
  const link = await exported(person);
  await db.update(users).set({ deletionDueAt: clock.now }).where(eq(users.id, person.id));
  await deleteDueAccount(ctx, { userId: person.id });

  expect(await statusOf(link)).toBe(410);

  const other = await make.person();
  await other.api.accounts.requestExport();
  const [preparing] = await db.select().from(accountExports).where(eq(accountExports.userId, other.id));
  const slow = new Proxy(storage, {
    get: (target, name) =>
      name === 'head'
        ? async (key: string) => {
            await db.delete(accountExports).where(eq(accountExports.userId, other.id));
            return target.head(key);
          }
        : Reflect.get(target, name),
  });
  await runJobs(runtime, 'accounts.build-export', (job, jobCtx) =>
    buildExport({ ...jobCtx, ports: { ...jobCtx.ports, storage: slow } }, job),
  );
  expect(await storage.head(`exports/${preparing!.id}.zip`)).toBeNull();
});

test('an export whose job has failed may be asked for again', async () => {
  const person = await make.person();
  await person.api.accounts.requestExport();
  await sweepExports({ ...ctx, now: () => later(clock.now, HOURS(13)) });

  expect(await person.api.accounts.exportState()).toMatchObject({ state: 'failed' });
  await expect(exported(person)).resolves.toMatch(/^\/exports\//);
});
