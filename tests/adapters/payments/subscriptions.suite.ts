import { expect } from 'vitest';
import { advance, at, type Behaves, cast, eur, invoicesOf, key, subscriber } from './far-end';

const terms = { name: 'Ruido', price: eur(499), every: 'month' as const, reference: {} };

export function subscriptionChecks(behaves: Behaves): void {
  behaves('a subscription on a saved card is active and paid at once', async (far) => {
    const { customer, subscription } = await subscriber(far);

    expect(subscription).toMatchObject({
      status: 'active',
      price: eur(499),
      reference: { product: '9' },
      paused: false,
      endsAt: null,
    });
    expect(await invoicesOf(far, customer)).toEqual([
      expect.objectContaining({ status: 'paid', reason: 'start', total: eur(499), paid: eur(499) }),
    ]);
  });

  behaves('the same key subscribes once', async (far) => {
    const { customer, card } = await cast(far);
    const once = key();

    const [first, second] = [
      await far.payments.subscribe({ customer, card, ...terms }, once),
      await far.payments.subscribe({ customer, card, ...terms }, once),
    ];

    expect(second.id).toBe(first.id);
    expect(await invoicesOf(far, customer)).toHaveLength(1);
  });

  behaves('a card that is refused begins nothing, and says why', async (far) => {
    const { customer, card } = await cast(far, { card: 'pm_card_chargeCustomerFail' });

    const attempt = far.payments.subscribe({ customer, card, ...terms }, key());

    await expect(attempt).rejects.toMatchObject({ code: 'payments.card_declined', params: { reason: 'declined' } });
    const { data } = await far.stripe.subscriptions.list({ customer, status: 'all' });
    expect(data.filter(({ status }) => status === 'active')).toEqual([]);
  });

  behaves('a card whose bank asks says so', async (far) => {
    const { customer, card } = await cast(far, { card: 'pm_card_authenticationRequired' });

    const attempt = far.payments.subscribe({ customer, card, ...terms }, key());

    await expect(attempt).rejects.toMatchObject({ code: 'payments.authentication_required' });
  });

  behaves("another customer's card subscribes nobody", async (far) => {
    const [{ customer }, { card }] = [await cast(far), await cast(far)];

    const attempt = far.payments.subscribe({ customer, card, ...terms }, key());

    await expect(attempt).rejects.toThrow(/payments\.(?:not_found|refused)/);
  });

  behaves('a trial ends on its day, and costs nothing until then', async (far) => {
    const { customer, subscription, begin } = await subscriber(far, { trialDays: 14 });

    expect(subscription.status).toBe('trialing');
    expect(subscription.trialEnd).toEqual(new Date(begin.getTime() + 14 * 86_400_000));
    expect((await invoicesOf(far, customer)).map(({ total }) => total)).toEqual([eur(0)]);
  });

  behaves('after a trial the first period is paid', async (far) => {
    const { clock, customer, subscription } = await subscriber(far, { trialDays: 14 });

    await advance(far, clock, '2026-02-15T10:00:00Z');

    expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'active' });
    expect((await invoicesOf(far, customer)).map(({ total }) => total)).toEqual([eur(0), eur(499)]);
  });

  behaves('an unknown subscription is not found', async ({ payments }) => {
    await expect(payments.fetch.subscription('sub_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
  });

  for (const [from, every, ends] of [
    ['2026-01-31T10:00:00Z', 'month', '2026-02-28T10:00:00Z'],
    ['2028-01-31T10:00:00Z', 'month', '2028-02-29T10:00:00Z'],
    ['2026-03-31T10:00:00Z', 'month', '2026-04-30T10:00:00Z'],
    ['2026-05-15T10:00:00Z', 'month', '2026-06-15T10:00:00Z'],
    ['2026-12-31T23:59:59Z', 'month', '2027-01-31T23:59:59Z'],
    ['2028-02-29T10:00:00Z', 'year', '2029-02-28T10:00:00Z'],
    ['2026-07-01T00:00:00Z', 'year', '2027-07-01T00:00:00Z'],
  ] as const)
    behaves(
      `a ${every} from ${from.slice(0, 10)} ends on ${ends.slice(0, 10)} ("Subscription billing cycle anchor")`,
      async (far) => {
        const { subscription } = await subscriber(far, { from, every });

        expect(subscription.periodStart).toEqual(at(from));
        expect(subscription.periodEnd).toEqual(at(ends));
      },
    );

  behaves('the 31st comes back after a short month ("Subscription billing cycle anchor")', async (far) => {
    const { clock, subscription } = await subscriber(far);

    await advance(far, clock, '2026-03-01T10:00:00Z');

    expect((await far.payments.fetch.subscription(subscription.id)).periodEnd).toEqual(at('2026-03-31T10:00:00Z'));
  });

  behaves('a preview of month to year credits the unused part, to the cent ("Prorations")', async (far) => {
    const { clock, subscription } = await subscriber(far, { from: '2026-04-01T00:00:00Z', price: eur(3000) });
    await advance(far, clock, '2026-04-11T00:00:00Z');

    const preview = await far.payments.previewChange(
      subscription.id,
      { price: eur(30_000), every: 'year' },
      at('2026-04-11T00:00:00Z'),
    );

    expect(preview.due).toEqual(eur(28_000));
    expect(preview.lines.map(({ amount }) => amount.minor).sort((a, b) => a - b)).toEqual([-2000, 30_000]);
  });

  behaves('a preview changes nothing', async (far) => {
    const { subscription, begin, customer } = await subscriber(far);

    await far.payments.previewChange(subscription.id, { price: eur(4990), every: 'year' }, begin);

    expect(await far.payments.fetch.subscription(subscription.id)).toEqual(subscription);
    expect(await invoicesOf(far, customer)).toHaveLength(1);
  });

  behaves('what was previewed is what is charged', async (far) => {
    const { clock, subscription, customer } = await subscriber(far);
    const when = at('2026-02-10T10:00:00Z');
    await advance(far, clock, when);
    const to = { price: eur(4990), every: 'year' as const };

    const { due } = await far.payments.previewChange(subscription.id, to, when);
    const changed = await far.payments.changeSubscription(subscription.id, to, when, key());

    expect(changed).toMatchObject({ status: 'active', price: eur(4990), every: 'year' });
    expect((await invoicesOf(far, customer)).at(-1)).toMatchObject({ status: 'paid', reason: 'change', paid: due });
  });

  behaves('a year begins on the day of the change', async (far) => {
    const { clock, subscription } = await subscriber(far);
    const when = at('2026-02-10T10:00:00Z');
    await advance(far, clock, when);

    const changed = await far.payments.changeSubscription(
      subscription.id,
      { price: eur(4990), every: 'year' },
      when,
      key(),
    );

    expect(changed.periodStart).toEqual(when);
    expect(changed.periodEnd).toEqual(at('2027-02-10T10:00:00Z'));
  });

  behaves('a dearer price in the same interval is charged for the rest, and the period stays', async (far) => {
    const { clock, subscription, customer } = await subscriber(far, { from: '2026-04-01T00:00:00Z', price: eur(3000) });
    const when = at('2026-04-16T00:00:00Z');
    await advance(far, clock, when);

    const changed = await far.payments.changeSubscription(
      subscription.id,
      { price: eur(6000), every: 'month' },
      when,
      key(),
    );

    expect(changed.periodEnd).toEqual(subscription.periodEnd);
    expect((await invoicesOf(far, customer)).at(-1)).toMatchObject({ paid: eur(1500) });
  });

  behaves('a cheaper price becomes credit, which the next invoice uses ("Customer credit balance")', async (far) => {
    const { clock, subscription, customer } = await subscriber(far, { from: '2026-04-01T00:00:00Z', price: eur(3000) });
    const when = at('2026-04-16T00:00:00Z');
    await advance(far, clock, when);

    const preview = await far.payments.previewChange(subscription.id, { price: eur(1000), every: 'month' }, when);
    await far.payments.changeSubscription(subscription.id, { price: eur(1000), every: 'month' }, when, key());
    const { credit } = await far.payments.fetch.customer(customer);
    await advance(far, clock, '2026-05-02T00:00:00Z');

    expect(preview).toMatchObject({ due: eur(0), credit: eur(1000) });
    expect(credit).toEqual(eur(1000));
    expect((await invoicesOf(far, customer)).at(-1)).toMatchObject({ total: eur(1000), due: eur(0), status: 'paid' });
  });

  behaves('a change within a trial costs nothing, and is due when the trial ends', async (far) => {
    const { subscription, begin } = await subscriber(far, { trialDays: 14 });

    const preview = await far.payments.previewChange(subscription.id, { price: eur(799), every: 'month' }, begin);
    const changed = await far.payments.changeSubscription(
      subscription.id,
      { price: eur(799), every: 'month' },
      begin,
      key(),
    );

    expect(preview).toMatchObject({ due: eur(799), at: subscription.trialEnd });
    expect(changed).toMatchObject({ status: 'trialing', price: eur(799), trialEnd: subscription.trialEnd });
  });

  behaves('a change that the card refuses leaves all as it was', async (far) => {
    const { subscription, customer, begin } = await subscriber(far);
    const bad = await far.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const before = await far.payments.setSubscriptionCard(subscription.id, bad.id, key());

    const attempt = far.payments.changeSubscription(subscription.id, { price: eur(4990), every: 'year' }, begin, key());

    await expect(attempt).rejects.toMatchObject({ code: 'payments.card_declined' });
    expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({
      price: before.price,
      every: 'month',
      periodEnd: before.periodEnd,
    });
  });

  behaves('a change with the same key is made once', async (far) => {
    const { subscription, customer, begin } = await subscriber(far);
    const once = key();
    const to = { price: eur(4990), every: 'year' as const };

    await far.payments.changeSubscription(subscription.id, to, begin, once);
    const paid = (await invoicesOf(far, customer)).length;
    const again = far.payments.changeSubscription(subscription.id, to, begin, once);

    await expect(again).resolves.toMatchObject({ every: 'year' });
    expect(await invoicesOf(far, customer)).toHaveLength(paid);
  });

  behaves('a subscription set to end says when, and stays active', async (far) => {
    const { subscription } = await subscriber(far);

    const ending = await far.payments.cancelAtPeriodEnd(subscription.id, key());

    expect(ending).toMatchObject({ status: 'active', endsAt: subscription.periodEnd, endedAt: null });
  });

  behaves('it ends there, and asks for no more', async (far) => {
    const { clock, customer, subscription } = await subscriber(far);
    await far.payments.cancelAtPeriodEnd(subscription.id, key());

    await advance(far, clock, '2026-04-15T10:00:00Z');

    expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({
      status: 'canceled',
      endedAt: subscription.periodEnd,
    });
    expect(await invoicesOf(far, customer)).toHaveLength(1);
  });

  behaves('a planned end that is taken back is no end', async (far) => {
    const { clock, customer, subscription } = await subscriber(far);
    await far.payments.cancelAtPeriodEnd(subscription.id, key());

    const resumed = await far.payments.resume(subscription.id, key());
    await advance(far, clock, '2026-03-01T10:00:00Z');

    expect(resumed).toMatchObject({ status: 'active', endsAt: null });
    expect(await invoicesOf(far, customer)).toHaveLength(2);
  });

  behaves('a subscription that is ended now is over', async (far) => {
    const { subscription, begin } = await subscriber(far);

    const ended = await far.payments.cancelNow(subscription.id, key());

    expect(ended.status).toBe('canceled');
    expect(Math.abs(ended.endedAt!.getTime() - begin.getTime())).toBeLessThan(60_000);
  });

  behaves('a subscription that is over can’t be changed', async (far) => {
    const { subscription, begin } = await subscriber(far);
    await far.payments.cancelNow(subscription.id, key());

    const attempt = far.payments.changeSubscription(subscription.id, { price: eur(999), every: 'month' }, begin, key());

    await expect(attempt).rejects.toThrow(/payments\.(?:refused|not_found|conflict)/);
  });

  behaves('a trial that is set to end is never charged', async (far) => {
    const { clock, customer, subscription } = await subscriber(far, { trialDays: 14 });
    await far.payments.cancelAtPeriodEnd(subscription.id, key());

    await advance(far, clock, '2026-03-15T10:00:00Z');

    expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'canceled' });
    expect((await invoicesOf(far, customer)).map(({ paid }) => paid)).toEqual([eur(0)]);
  });

  behaves('a pause says until when, and stays active ("Pause payment collection")', async (far) => {
    const { subscription } = await subscriber(far);

    const paused = await far.payments.pause(subscription.id, at('2026-04-15T00:00:00Z'), key());

    expect(paused).toMatchObject({ status: 'active', paused: true, resumesAt: at('2026-04-15T00:00:00Z') });
  });

  behaves('periods in a pause are not paid, and later ones are again ("Pause payment collection")', async (far) => {
    const { clock, customer, subscription } = await subscriber(far);
    await far.payments.pause(subscription.id, at('2026-04-15T00:00:00Z'), key());

    await advance(far, clock, '2026-05-02T10:00:00Z');

    expect((await invoicesOf(far, customer)).map(({ status }) => status)).toEqual(['paid', 'void', 'void', 'paid']);
    expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ paused: false, resumesAt: null });
  });

  behaves('a pause without an end lasts until it is taken back', async (far) => {
    const { clock, customer, subscription } = await subscriber(far);
    await far.payments.pause(subscription.id, null, key());
    await advance(far, clock, '2026-03-15T10:00:00Z');

    const going = await far.payments.resumeCollection(subscription.id, key());
    await advance(far, clock, '2026-04-02T10:00:00Z');

    expect(going).toMatchObject({ paused: false });
    expect((await invoicesOf(far, customer)).map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
  });
}
