import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { billingDetails } from '~/db/schema/accounts';
import { affiliateLinks, referrals } from '~/db/schema/affiliates';
import { paymentCards } from '~/db/schema/checkouts';
import { members } from '~/db/schema/team';
import { affiliatePage } from '~/server/domain/affiliates/affiliate-page';
import { createLink, joinProgramme } from '~/server/domain/affiliates/join-programme';
import { noteReferral } from '~/server/domain/affiliates/note-referral';
import { AFFILIATE_LIMITS } from '~/server/limits/affiliates';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import type { Creator } from '../../support/make';

const { runtime, ctxOf, make, lucia } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const codeOf = async ({ creatorId }: Creator) =>
  (await db.select().from(affiliateLinks).where(eq(affiliateLinks.creatorId, creatorId)))[0]!.code!;
const reasonFor = async ({ id }: { id: number }) =>
  (await db.select().from(referrals).where(eq(referrals.userId, id)))[0]?.refusedFor;

async function affiliate(over: { email?: string } = {}) {
  const person = await make.creator(over);
  await joinProgramme(ctxOf(person));
  return person;
}
let cards = 0;
const card = (userId: number, fingerprint: string) => ({
  ...{ providerId: `pm_${++cards}`, customerId: 'cus', userId, brand: 'visa', last4: '4242', fingerprint },
  ...{ expiresMonth: 1, expiresYear: 2030, expiresAt: new Date('2030-02-01'), isDefault: true, account: null },
});

const CASES: Record<string, (own: Creator, brought: Creator) => Promise<unknown>> = {
  same_team: (own, { id: userId }) => db.insert(members).values({ creatorId: own.creatorId, userId, role: 'analyst' }),
  'same_team, the other way': ({ id: userId }, { creatorId }) =>
    db.insert(members).values({ creatorId, userId, role: 'editor' }),
  same_card: (own, brought) => db.insert(paymentCards).values([card(own.id, 'same'), card(brought.id, 'same')]),
  same_payout: (own, brought) =>
    db
      .insert(billingDetails)
      .values([own, brought].map(({ id }) => ({ userId: id, iban: 'ES9121000418450200051332' }))),
  'same_payout, by PayPal': (own, brought) =>
    db
      .insert(billingDetails)
      .values(
        [own, brought].map(({ id }, at) => ({ userId: id, paypalEmail: at ? 'A@mail.example' : 'a@mail.example' })),
      ),
};

test.each(Object.keys(CASES))('a referral is refused for the %s', async (name) => {
  const [own, brought] = [await affiliate(), await make.creator()];
  await CASES[name]!(own, brought);

  await noteReferral(ctx, { userId: brought.id, code: await codeOf(own) });

  expect(await reasonFor(brought)).toBe(name.split(',')[0]);
  expect(await affiliatePage(ctxOf(own))).toMatchObject({ refused: 1, total: { signUps: 0, plans: 0 } });
});

test('a referral is refused for the own account, and for another address of the same mailbox', async () => {
  const own = await affiliate({ email: 'marta.ruiz@gmail.com' });
  const other = await make.creator({ email: 'martaruiz+two@gmail.com' });
  const code = await codeOf(own);

  await noteReferral(ctx, { userId: own.id, code });
  await noteReferral(ctx, { userId: other.id, code });

  expect([await reasonFor(own), await reasonFor(other)]).toEqual(['own_account', 'same_email']);
});

test('different people with different cards and payout addresses are not refused, and the first link counts', async () => {
  const [first, second, brought] = [await affiliate(), await affiliate(), await make.creator()];
  await db.insert(paymentCards).values([card(first.id, 'one'), card(brought.id, 'two')]);
  await db.insert(billingDetails).values([first, brought].map(({ id }) => ({ userId: id, iban: null })));

  await Promise.all([1, 2].map(async () => noteReferral(ctx, { userId: brought.id, code: await codeOf(first) })));
  await noteReferral(ctx, { userId: brought.id, code: await codeOf(second) });
  await noteReferral(ctx, { userId: lucia.id, code: 'unknown-code' });

  expect([await reasonFor(brought), await reasonFor(lucia)]).toEqual([null, undefined]);
  const pages = [await affiliatePage(ctxOf(first)), await affiliatePage(ctxOf(second))];
  expect(pages.map(({ total }) => total.signUps)).toEqual([1, 0]);
});

test('joining twice at once gives one link, and codes belong to one link', async () => {
  const [one, other] = [await make.creator(), await affiliate()];
  await Promise.all([joinProgramme(ctxOf(one)), joinProgramme(ctxOf(one))]);
  const { links } = await affiliatePage(ctxOf(one));

  expect(links).toMatchObject([{ code: one.domain.slice(0, 24), visits: 0 }]);
  expect(links![0]!.url).toMatch(new RegExp(`/\\?ref=${links![0]!.code}$`));
  await expect(createLink(ctxOf(other), { name: 'Boletín', linkCode: links![0]!.code })).rejects.toMatchObject({
    code: 'affiliate.code_taken',
  });
});

test('a creator has as many links as the limit, even with two requests at once', async () => {
  const own = await affiliate();
  const add = (at: number) => createLink(ctxOf(own), { name: `Link ${at}`, linkCode: `own-${own.id}-${at}` });
  for (let at = 0; at < AFFILIATE_LIMITS.links - 2; at++) await add(at);

  const last = await Promise.allSettled([add(98), add(99)]);

  expect(last.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect((await affiliatePage(ctxOf(own))).canAdd).toBe(false);
  await expect(createLink(ctxOf(await make.creator()), { name: 'x', linkCode: 'not-joined' })).rejects.toMatchObject({
    code: 'affiliate.not_joined',
  });
});
