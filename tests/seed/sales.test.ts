import { and, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { feedLinks } from '~/db/schema/feeds';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import { type DemoPayments, paymentsOf } from '~/server/seed/paying';
import { seedSales } from '~/server/seed/sales';
import { demoCast } from '../support/demo-cast';
import { GOOD_CARD, shop } from '../support/shop';

const { runtime, ctx, fetch, sandbox, settle, make, lucia, tom } = await shop();

test('a purchase that a worker settles first, by the clock of today, gets its addresses and its next step', async () => {
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 500 });
  const [person] = demoCast('settled');
  const owner = { ...person!, email: 'lucia@mail.example', products: [{ ...person!.products[0]!, slug: show.slug }] };
  const buys = [{ slug: show.slug, interval: 'month' as const, daysAgo: 20, then: 'cancel' as const }];
  const buyer = { ...person!, email: 'tom@mail.example', products: [], buys };
  const payments: DemoPayments = {
    pay: async (url) => {
      await payByForms(fetch, url, { number: GOOD_CARD, email: 'tom@mail.example', proven: true });
      const [{ providerId } = { providerId: null }] = await runtime.db
        .select()
        .from(checkouts)
        .where(eq(checkouts.userId, tom.id));
      await syncCheckout(ctx, providerId ?? '');
    },
    connect: () => Promise.reject(new Error('no account is connected')),
    setTime: async () => {},
    catchUp: () => sandbox.tick(),
  };

  await seedSales(runtime, [owner, buyer], payments);

  const ofTom = and(eq(subscriptions.userId, tom.id), eq(subscriptions.productId, show.id));
  const [subscription] = await runtime.db.select().from(subscriptions).where(ofTom);
  const links = await runtime.db.select().from(feedLinks).where(eq(feedLinks.userId, tom.id)).orderBy(feedLinks.id);
  expect(links.map(({ productId }) => productId)).toContain(show.id);
  expect(subscription?.endsAt).not.toBeNull();
});

test.each(['SE', 'IE'])(
  'a buyer in %s pays the VAT of their country, although the card comes from another one',
  async (country) => {
    const show = await make.product(lucia, { name: `De pago en ${country}`, priceMinor: 500 });
    const [person] = demoCast(`vat-${country}`);
    const buyer = await make.person({ country, email: `${country.toLowerCase()}@mail.example` });
    const owner = { ...person!, email: 'lucia@mail.example', products: [{ ...person!.products[0]!, slug: show.slug }] };
    const buys = [{ slug: show.slug, interval: 'month' as const, daysAgo: 20 }];

    await seedSales(
      runtime,
      [owner, { ...person!, country, email: buyer.email, products: [], buys }],
      paymentsOf(sandbox)!,
    );
    await settle();

    const [sale] = await runtime.db.select().from(sales).where(eq(sales.userId, buyer.id));
    expect(sale).toMatchObject({ vatCountry: country, vatBasis: 'charged' });
  },
);
