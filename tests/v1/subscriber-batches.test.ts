import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, like } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { suppressions } from '~/db/schema/audience';
import { checkouts } from '~/db/schema/checkouts';
import { gifts } from '~/db/schema/gifts';
import { outbox } from '~/db/schema/notifications';
import { activity } from '~/db/schema/team';
import { DAYS, HOURS, later } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { digestOf } from '~/server/domain/audience/suppressions';
import { inviteBatch } from '~/server/domain/billing/buyers/invite-batch';
import { removeBatch } from '~/server/domain/billing/buyers/remove-batch';
import { PLANS } from '~/server/limits/plans';
import { type Ctx, transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await cast();
const { runtime, clock, make, ada, pauseAt } = opened;
const { db } = runtime;
const api = v1Client(opened);
const keyOf = keyMaker(opened);
const ctx = systemCtx(runtime, 'test');

type Entry = { email: string; result: string; is_told?: boolean };

async function stage() {
  const owner = await make.creator();
  const name = `n${owner.id}`;
  const show = await make.product(owner, { name, priceMinor: 500 });
  const key = await keyOf(owner);
  const path = `/shows/${show.id}/subscribers/batch`;
  const at = (text: string) => `${text}@${name}.example`;
  const send =
    (where: string) =>
    async (people: string[], more: object = {}) => {
      const json = { subscribers: people.map((email) => ({ email })), ...more };
      const { status, body } = await api.post(where, { key, json });
      return { status, body, data: (body.data ?? []) as Entry[] };
    };
  const held = () => db.$count(grants, and(eq(grants.productId, show.id), isNull(grants.endsAt)));
  const mails = (topic: string) =>
    db.$count(outbox, and(eq(outbox.topic, topic), like(outbox.to, `%@${name}.example`)));
  return { owner, show, key, path, at, add: send(path), end: send(`${path}/end`), held, mails };
}

const resultsOf = ({ data }: { data: Entry[] }) => data.map(({ result }) => result);

test('each entry gets its own result, and a repeated batch changes nothing', async () => {
  const { add, at, held, mails, owner } = await stage();
  await make.person({ email: at('known') });
  const batch = [at('new'), ` ${at('KNOWN')} `, 'nobody', at('new'), ''];

  const first = await add(batch);
  const again = await add(batch);

  expect(first.status).toBe(200);
  expect(resultsOf(first)).toEqual(['granted', 'granted', 'invalid', 'granted', 'invalid']);
  expect(resultsOf(again)).toEqual(['has_access', 'has_access', 'invalid', 'has_access', 'invalid']);
  expect(first.data.map(({ email }) => email)).toEqual(batch);
  expect(first.data.map(({ is_told }) => is_told)).toEqual([true, true, false, true, false]);
  expect([await held(), await mails('free_access')]).toEqual([2, 2]);
  const log = await db.select().from(activity).where(eq(activity.userId, owner.id)).orderBy(activity.id);
  expect(log.filter(({ action }) => action === 'buyers.invited')).toMatchObject([{ params: { count: 2 } }]);
});

/** The number of statements of a change. */
async function statementsOf(owner: { id: number; creatorId: number }, change: (ctx: Ctx) => Promise<unknown>) {
  let count = 0;
  const onStatement = () => {
    count += 1;
    return () => {};
  };
  const { db, close } = createDb(opened.url, { onStatement });
  await change({ ...opened.ctxOf(owner), db });
  await close();
  return count;
}

test('a thousand people take as many statements as two, and no more than the emails of a day', async () => {
  const { at, held, mails, owner, show } = await stage();
  const ref = { id: show.id, kind: 'podcast' as const, sendsEmail: true };
  const people = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({ email: at(`p${from + i}`) }));
  const few = { ...ref, subscribers: people(0, 2) };
  const many = { ...ref, subscribers: people(2, 1000) };

  const invited = [
    await statementsOf(owner, (by) => inviteBatch(by, few)),
    await statementsOf(owner, (by) => inviteBatch(by, many)),
  ];
  const given = await held();
  const removed = [
    await statementsOf(owner, (by) => removeBatch(by, few)),
    await statementsOf(owner, (by) => removeBatch(by, many)),
  ];

  expect(invited[0]).toBeGreaterThan(5);
  expect([invited[1], removed[1]]).toEqual([invited[0], removed[0]]);
  expect([given, await held(), await mails('free_access')]).toEqual([1000, 0, 100]);
});

test('no answer tells whether an address has an account, or has verified it', async () => {
  const { add, end, at } = await stage();
  const known = await make.person({ email: at('known') });
  const verified = await make.person({ email: at('verified') });
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, verified.id));
  const people = [known.email, verified.email, at('new')];

  const [added, ended] = [await add(people), await end(people)];

  const facts = ({ data }: { data: Entry[] }) => data.map(({ email: _, ...rest }) => rest);
  expect(facts(added)).toEqual(Array(3).fill({ result: 'granted', is_told: true }));
  expect(facts(ended)).toEqual(Array(3).fill({ result: 'ended' }));
});

test('a creator reaches only so many new people in a day, whether they have an account or not', async () => {
  const { add, end, at } = await stage();
  const known = await make.person({ email: at('known') });
  const people = Array.from({ length: 1000 }, (_, i) => at(`c${i}`));
  const quiet = { send_email: false };
  await add(people, quiet);
  await end(people, quiet);

  const today = await add([known.email, at('new'), people[0]!], quiet);
  const made = await db.$count(users, eq(users.email, at('new')));
  const start = clock.now;
  clock.now = later(start, DAYS(1.5));
  const tomorrow = await add([known.email, at('new')], quiet);
  clock.now = start;

  expect([resultsOf(today), made]).toEqual([['try_later', 'try_later', 'granted'], 0]);
  expect(resultsOf(tomorrow)).toEqual(['granted', 'granted']);
});

test('fifty equal batches at the same time give the same access once', async () => {
  const { add, at, held, mails } = await stage();
  const people = Array.from({ length: 20 }, (_, i) => at(`r${i}`));

  const answers = await Promise.all(Array.from({ length: 50 }, () => add(people)));

  const rest = answers.filter(({ status }) => status !== 200);
  expect(answers.filter((answer) => resultsOf(answer).includes('granted'))).toHaveLength(1);
  expect(rest.length).toBeGreaterThan(0);
  expect(new Set(rest.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
    new Set(['429 buyer.batch_running']),
  );
  expect([await held(), await mails('free_access')]).toEqual([20, 20]);
});

test('a person who is invited between the reading and the writing is not told twice', async () => {
  const { add, at, show, mails } = await stage();
  const known = await make.person({ email: at('known') });
  const pause = pauseAt('batch.read');
  const batch = add([known.email, at('other')]);
  await pause.reachedBy(batch);

  await transact(ctx, (tx) => grantAccess(tx, { userId: known.id, productId: show.id, source: 'gift' }));
  pause.goOn();

  expect(resultsOf(await batch)).toEqual(['has_access', 'granted']);
  expect(await mails('free_access')).toBe(1);
});

test('the plan’s room goes to the first ones, and people who are counted need none', async () => {
  const { add, at } = await stage();
  const room = PLANS.PRO.limits.paidSubscribers!;
  await add(
    Array.from({ length: room - 1 }, (_, i) => at(`p${i}`)),
    { send_email: false },
  );

  const { data } = await add([at('a'), at('b'), at('p0')]);

  expect(data.map(({ result }) => result)).toEqual(['granted', 'no_room', 'has_access']);
  expect(await db.$count(users, eq(users.email, at('b')))).toBe(0);
});

test('a batch that is running keeps others of its creator out, and their room is counted afterwards', async () => {
  const { add, end, at, held, key, path } = await stage();
  const people = (name: string) => Array.from({ length: 600 }, (_, i) => at(`${name}${i}`));
  const pause = pauseAt('batch.read');
  const slow = add(people('a'), { send_email: false });
  await pause.reachedBy(slow);

  const json = { subscribers: [{ email: at('b0') }] };
  const [second, ended] = [await api.post(path, { key, json }), await end([at('a0')])];
  pause.goOn();
  await slow;
  const later = await add(people('b'), { send_email: false });

  expect([second.status, second.body.code, ended.status]).toEqual([429, 'buyer.batch_running', 429]);
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await held()).toBe(PLANS.PRO.limits.paidSubscribers);
  expect(resultsOf(later).filter((result) => result === 'no_room')).toHaveLength(200);
});

test('a show of others, too few scopes, and batches that are empty or too long are refused', async () => {
  const { key, path, at } = await stage();
  const json = { subscribers: [{ email: at('a') }] };
  const foreign = await api.post(path, { key: await keyOf(ada), json });
  const readOnly = await api.post(path, { key: await keyOf(await make.creator(), ['subscribers:read']), json });
  const empty = await api.post(path, { key, json: { subscribers: [] } });
  const long = await api.post(path, { key, json: { subscribers: Array(1001).fill({ email: 'a' }) } });
  const wrong = await api.post(path, { key, json: { subscribers: [{ email: 7 }] } });

  expect([foreign.status, foreign.body.code]).toEqual([404, 'product.not_found']);
  expect([readOnly.status, empty.status, long.status, wrong.status]).toEqual([403, 400, 400, 400]);
  expect(long.text).toContain('1000');
  expect(await db.$count(users, eq(users.email, at('a')))).toBe(0);
});

test('an address that emails do not reach, or whose emails of the day are sent, gets access without one', async () => {
  const { add, at, owner, mails } = await stage();
  const { creatorId } = owner;
  const row = { creatorId, addressDigest: digestOf(at('bounced')), reason: 'bounced' as const, createdAt: clock.now };
  await db.insert(suppressions).values(row);

  const [bounced, silent] = [await add([at('bounced')]), await add([at('silent')], { send_email: false })];

  expect([...bounced.data, ...silent.data]).toMatchObject([
    { result: 'granted', is_told: false },
    { result: 'granted', is_told: false },
  ]);
  expect(await mails('free_access')).toBe(0);
});

test('ending a batch keeps what was paid for, and tells only people whose address is verified', async () => {
  const { add, end, at, show, mails, owner } = await stage();
  const [payer, verified] = [await make.person({ email: at('payer') }), await make.person({ email: at('verified') })];
  await db
    .update(users)
    .set({ emailVerifiedAt: clock.now })
    .where(inArray(users.id, [payer.id, verified.id]));
  await transact(ctx, (tx) =>
    grantAccess(tx, {
      userId: payer.id,
      productId: show.id,
      source: 'subscription',
      endsAt: later(clock.now, HOURS(9)),
    }),
  );
  const people = [payer.email, verified.email, at('unverified')];
  await add(people, { send_email: false });

  const first = await end([...people, at('stranger'), 'x']);
  const again = await end(people);

  expect(resultsOf(first)).toEqual(['paid', 'ended', 'ended', 'no_access', 'invalid']);
  expect(resultsOf(again)).toEqual(['paid', 'no_access', 'no_access']);
  expect(await mails('access_removed')).toBe(1);
  const own = and(eq(grants.userId, payer.id), eq(grants.productId, show.id), eq(grants.source, 'gift'));
  expect((await db.select().from(grants).where(own))[0]!.endsAt).toEqual(clock.now);
  const log = await db.select().from(activity).where(eq(activity.userId, owner.id)).orderBy(activity.id);
  expect(log.filter(({ action }) => action === 'buyers.removed')).toMatchObject([{ params: { count: 3 } }]);
});

test('the end of a batch leaves the months of a gift that a giver has paid for', async () => {
  const { add, end, at, show, owner } = await stage();
  const person = await make.person({ email: at('receiver') });
  const until = later(clock.now, DAYS(60));
  const key = { userId: person.id, productId: show.id, source: 'gift' as const };
  await transact(ctx, (tx) => grantAccess(tx, { ...key, endsAt: until }));
  const terms = { name: 'Gift', priceMinor: 500, currency: 'eur', every: null } as const;
  const paid = {
    id: randomUUID(),
    purpose: 'gift',
    userId: owner.id,
    terms,
    language: 'es',
    expiresAt: until,
  } as const;
  await db.insert(checkouts).values(paid);
  const gift = { checkoutId: paid.id, giverId: owner.id, productId: show.id, months: 2, expiresAt: until };
  const redeemed = { redeemedAt: clock.now, redeemedBy: person.id, accessFrom: clock.now, accessUntil: until };
  await db.insert(gifts).values({ ...gift, ...redeemed, tokenHash: 'hash', sealedToken: 'sealed' });
  const endOf = async () => (await db.select().from(grants).where(eq(grants.userId, person.id)))[0]!.endsAt;

  const added = await add([person.email]);
  const forever = await endOf();
  const ended = await end([person.email]);

  expect([resultsOf(added), forever]).toEqual([['granted'], null]);
  expect([resultsOf(ended), await endOf()]).toEqual([['paid'], until]);
});

test('a batch with the same Idempotency-Key is made again, and changes nothing', async () => {
  const { key, path, at, held } = await stage();
  const json = { subscribers: [{ email: at('a') }] };
  const post = () => api.post(path, { key, json, headers: { 'idempotency-key': 'once' } });

  const [first, again] = [await post(), await post()];

  expect([first.body.data, again.body.data]).toMatchObject([[{ result: 'granted' }], [{ result: 'has_access' }]]);
  expect(await held()).toBe(1);
});
