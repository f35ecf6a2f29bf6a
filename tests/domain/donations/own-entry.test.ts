import { eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { donationPage, giveDonation } from '~/server/domain/donations/give-donation';
import { recordDonation as record } from '~/server/domain/donations/record-donation';
import { giveDonation as schema } from '~/server/domain/donations/schema';
import { recordDonation } from '~/server/queue/jobs/donations';
import { runJobs } from '../../support/run-jobs';
import { GOOD_CARD, shop } from '../../support/shop';

const { runtime, lucia, visitorCtx, fetch, clock, settle } = await shop();
const { creatorId } = lucia;
await lucia.api.creators.update({ acceptsDonations: true, donationText: 'Gracias' });
await lucia.api.donations.updateSettings({ showsWall: true });
const ctx = () => visitorCtx({ now: clock.now });

test.each(['once', 'month'])(
  'donors (%s) are on the wall when they come back, before any job has run',
  async (every) => {
    const email = `${every}@mail.example`;
    const form = { creatorId, amount: '5', currency: 'eur', every, email, name: `Nuria ${every}`, message: 'Ánimo' };
    const { id: checkout, url } = await giveDonation(ctx(), schema.parse(form), 'browser');
    await payByForms(fetch, url, { number: GOOD_CARD });

    const { given, wall, goal } = await donationPage(ctx(), { creatorId, checkout });

    expect(given).toMatchObject({ isPaid: true });
    expect(wall[0]).toMatchObject({ name: `Nuria ${every}`, message: 'Ánimo' });
    expect(goal).toBeNull();
    await settle();
    await runJobs(runtime, recordDonation.name, (payload, job) => record(job, payload));
    expect((await donationPage(ctx(), { creatorId, checkout })).wall).toHaveLength(wall.length);
    expect(await runtime.db.$count(outbox, eq(outbox.to, email))).toBe(every === 'once' ? 1 : 2);
  },
);
