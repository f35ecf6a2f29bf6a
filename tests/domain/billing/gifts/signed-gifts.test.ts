import { desc, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { checkouts } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { gifts } from '~/db/schema/gifts';
import { outbox } from '~/db/schema/notifications';
import { giftsOnSale, giftTermsShown } from '~/server/domain/billing/base/rules';
import { buyGift as schema } from '~/server/domain/billing/base/schema';
import { buyGift } from '~/server/domain/billing/gifts/buy-gift';
import { eraseGifts } from '~/server/domain/billing/gifts/endings';
import { openGift } from '~/server/domain/billing/gifts/redeem-gift';
import { reportCheckout } from '~/server/domain/billing/payers/report-checkout';
import { reportCheckout as reportJob } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { GOOD_CARD, shop } from '../../../support/shop';

const { runtime, ctx: system, make, lucia, ctxOf, visitorCtx, fetch, clock, settle } = await shop();
const { db } = runtime;
const show = await make.product(lucia, { priceMinor: 500, name: 'Noches' });
const shown = giftTermsShown(giftsOnSale(show), show.currency);

/** Gives the show. @returns the email to the receiver, and the name on the page of its link */
async function give(giver: { id: number } | null, over: Record<string, string>, to: string) {
  const ctx = giver ? ctxOf({ ...giver, creatorId: null }, { now: clock.now }) : visitorCtx({ now: clock.now });
  const guest = giver ? {} : { email: `gi${to}`, adult: 'on', terms: 'on' };
  const input = schema.parse({ product: show.id, months: 3, shown, recipientEmail: to, ...guest, ...over });
  await payByForms(fetch, (await buyGift(ctx, input, to)).url, { number: GOOD_CARD, proven: true });
  await settle();
  while ((await runJobs(runtime, reportJob.name, (payload, job) => reportCheckout(job, payload))) > 0);
  const [email] = await db.select().from(outbox).where(eq(outbox.to, to)).orderBy(desc(outbox.createdAt)).limit(1);
  const token = /token=([^"&\s]+)/.exec(email!.html)![1]!;
  const { giver: from } = await openGift(visitorCtx({ now: clock.now }), { token: decodeURIComponent(token) });
  return { subject: email!.subject, html: email!.html, from };
}

test('a guest’s gift is signed with the name that the guest has typed', async () => {
  await db.update(creators).set({ buttonColor: '#FFD400' }).where(eq(creators.id, lucia.creatorId));
  const { subject, html, from } = await give(null, { giverName: 'Nuria' }, 'uno@mail.example');

  expect([subject, from]).toEqual(['Nuria gives you Noches', 'Nuria']);
  // a card with the cover, in the colour of the creator
  expect(html).toMatch(/border-top:6px solid #FFD400.*<img src="http[^"]+\.jpg" alt="".*>Noches<.*>By Lucía/s);
  const [account] = await db.select().from(users).where(eq(users.email, 'giuno@mail.example'));
  expect(account!.name).toBe('Nuria');
});

test('without a name, a guest’s gift is from someone, and no address shows', async () => {
  const { subject, html, from } = await give(null, { message: 'Feliz cumple' }, 'dos@mail.example');

  expect([subject, from]).toEqual(['Someone has a gift for you: Noches', '']);
  expect(html).toContain('Feliz cumple');
  expect(html).not.toContain('gidos');
  expect(html).not.toContain('Hello ,');
});

test('a giver who is logged in signs with the name of the account, or with another, or not at all', async () => {
  const giver = await make.person({ name: 'Eva' });

  const named = await give(giver, { recipientName: 'Ana' }, 'tres@mail.example');
  const other = await give(giver, { giverName: 'Tu hermana' }, 'cuatro@mail.example');
  const unsigned = await give(giver, { giverName: '' }, 'cinco@mail.example');

  expect([named.from, other.from, unsigned.from]).toEqual(['Eva', 'Tu hermana', '']);
  expect(named.html).toContain('Hello Ana,');
});

test('with the giver’s account, the name that signs the gift goes, too', async () => {
  const giver = await make.person({ name: 'Eva' });
  await give(giver, { giverName: 'Tu prima Rosa' }, 'seis@mail.example');

  await eraseGifts(system, { userId: giver.id });

  const given = await db.select().from(gifts).where(eq(gifts.giverId, giver.id)).orderBy(gifts.id);
  const paid = await db.select().from(checkouts).where(eq(checkouts.userId, giver.id)).orderBy(checkouts.id);
  expect(given).toHaveLength(1);
  expect(JSON.stringify([given, paid])).not.toContain('Rosa');
});
