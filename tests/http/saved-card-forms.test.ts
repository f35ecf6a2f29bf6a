import { desc } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { checkouts } from '~/db/schema/checkouts';
import { later, MINUTES } from '~/server/base/time';
import { pagesApp } from '../support/pages-app';
import { fieldsOf } from '../support/plain-form';
import { shop } from '../support/shop';

const { runtime, env, clock, make, lucia, ada } = await shop();
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
const { host, origin } = new URL(appUrl);
await lucia.api.creators.update({ acceptsDonations: true, donationText: 'Gracias' });
const series = await make.product(ada, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });

const BUTTON = 'Continue to payment';
const FORMS = {
  purchase: { page: `/en/register/payment?product=${series.id}` },
  gift: { page: `/en/register/gift?product=${series.id}` },
  donation: {
    page: `/en/donation/${lucia.creatorId}`,
    target: `/en/register/donation-payment?creator=${lucia.creatorId}`,
  },
};

/** Fills in the form of a page like a guest without JavaScript, and sends it. @returns whether the card is kept */
async function pay({ page, target = page }: { page: string; target?: string }, typed: Record<string, string>) {
  clock.now = later(clock.now, MINUTES(1));
  const html = await (await app.request(`${appUrl}${page}`)).text();
  const fields = fieldsOf(html, BUTTON);
  const offered = { hasBox: html.includes('name="saveCard"'), isTicked: fields.has('saveCard') };
  for (const [name, value] of Object.entries({ email: 'oyente@mail.example', terms: 'on', adult: 'on', ...typed }))
    fields.set(name, value);
  const answer = await app.request(`${appUrl}${target}`, { method: 'POST', body: fields, headers: { host, origin } });
  expect(answer.headers.get('location')).toContain('/pay/');
  const [row] = await runtime.db.select().from(checkouts).orderBy(desc(checkouts.createdAt)).limit(1);
  return { ...offered, isKept: row!.terms.savesCard ?? false };
}

test.each(Object.entries(FORMS))(
  'the form of a %s keeps the card only if the box is ticked, without JavaScript',
  async (name, form) => {
    const plain = await pay(form, { email: `${name}@mail.example` });
    const ticked = await pay(form, { email: `${name}.kept@mail.example`, saveCard: 'on' });

    expect(plain).toEqual({ hasBox: true, isTicked: false, isKept: false });
    expect(ticked).toEqual({ hasBox: true, isTicked: false, isKept: true });
  },
);

test('a monthly donation keeps its card without the box, which is about single payments', async () => {
  const { isKept } = await pay(FORMS.donation, { every: 'month', saveCard: 'on', email: 'cada.mes@mail.example' });

  expect(isKept).toBe(false);
});
