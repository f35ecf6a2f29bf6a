import { checkouts } from '~/db/schema/checkouts';
import type { Runtime } from '~/server/runtime/runtime';
import type { Caller } from '~/server/trpc/caller';
import type { Input, Rule } from './authorization';
import { buyerRows } from './buyer-rows';
import { campaignRows } from './campaign-rows';
import { announcementRows } from './console-rows';
import { contactImportRows } from './contact-import-rows';
import { contactRows } from './contact-rows';
import { donationRows } from './donation-rows';
import { importRestRows, importRows } from './import-rows';
import { newsletterRows } from './newsletter-rows';
import { payoutRestRows, payoutRows } from './payout-rows';
import { recommendationRows } from './recommendation-rows';
import { spotifyRows } from './spotify-rows';
import { webhookRows } from './webhook-rows';

type Stage = { runtime: Runtime; owner: { id: number; creatorId: number; api: Caller }; paid: { id: number } };

/** The rows of REST calls about coupons and imports. */
export const sellerRestRows = ({
  runtime,
  owner,
  paid,
}: Omit<Stage, 'owner'> & { owner: Omit<Stage['owner'], 'api'> }) =>
  ({
    'GET coupons/': [['everyone', () => ({ code: 'UNKNOWN', product_id: paid.id })]],
    ...payoutRestRows,
    ...importRestRows({ runtime, owner, showId: paid.id }),
  }) satisfies Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;

/** The rows of the authorization matrix about sales of creators, and about imports. */
export async function sellerRows({ runtime, owner, paid }: Stage) {
  const planCheckout = await closedPlanCheckout(runtime, owner);
  const newCoupon = () => {
    const couponCode = `C${String(Math.random()).slice(2)}`;
    return { productId: paid.id, couponCode, discountType: 'percentage' as const, discount: '10' };
  };
  const coupon = () => owner.api.coupons.create(newCoupon());
  const ownShow = () => ({ id: paid.id, kind: 'podcast' as const });
  return {
    ...(await donationRows({ runtime, owner })),
    ...payoutRows({ runtime, owner }),
    'products.freeConversion': [['ownerAlone', ownShow]],
    'products.unusedPayments': [['ownerAlone', ownShow]],
    'products.askForUnused': [['ownerAlone', ownShow]],
    ...importRows({ runtime, owner, showId: paid.id }),
    ...webhookRows({ runtime, owner }),
    'affiliates.join': [['creator.manageAffiliates', () => ({ terms: true })]],
    'affiliates.createLink': [
      ['creator.manageAffiliates', () => ({ name: 'A', linkCode: `c${String(Math.random()).slice(2, 12)}` })],
    ],
    'billing.offer': [['everyone', () => ({ product: paid.id })]],
    'billing.reducedOffer': [['everyone', () => ({ product: paid.id, coupon: 'UNKNOWN' })]],
    'billing.finish': [['everyone', () => ({ checkout: 'unknown' })]],
    'billing.buy': [['everyone', () => ({ product: paid.id, shown: 'other terms' })]],
    'gifts.offer': [['everyone', () => ({ product: paid.id })]],
    'gifts.buy': [['everyone', () => ({ product: paid.id, months: 1, shown: 'other prices' })]],
    ...contactRows({ runtime, owner }),
    ...newsletterRows({ runtime, owner }),
    ...recommendationRows({ runtime, owner }),
    ...spotifyRows({ runtime, showId: paid.id }),
    ...contactImportRows({ runtime, owner }),
    ...(await buyerRows({ runtime, owner, paid })),
    ...(await announcementRows(runtime)),
    ...campaignRows({ runtime, owner, showId: paid.id }),
    'coupons.create': [['ownerAlone', newCoupon]],
    'coupons.setState': [['ownerAlone', async () => ({ ...(await coupon()), disabled: true })]],
    'plans.preview': [['heads', () => ({ plan: 'BASIC' })]],
    'plans.checkout': [['ownerAlone', () => ({ id: planCheckout })]],
    // amounts that were never shown to the caller
    'plans.start': [['heads', () => ({ plan: 'BASIC', dueMinor: 1 })]],
    'plans.change': [['heads', () => ({ plan: 'BASIC', dueMinor: 1, creditMinor: 0, at: '2026-03-02T09:00:00Z' })]],
    'coupons.check': [['everyone', () => ({ code: 'UNKNOWN', productId: paid.id })]],
  } satisfies Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;
}

/** A closed payment page for a plan. @returns its id */
async function closedPlanCheckout({ db, now }: Runtime, { id: userId, creatorId }: { id: number; creatorId: number }) {
  const id = '00000000-0000-4000-8000-00000000000a';
  const terms = { name: 'Basic', priceMinor: 900, currency: 'eur', every: 'month', plan: 'BASIC' } as const;
  const item = { purpose: 'plan', userId, creatorId, terms, language: 'en', status: 'closed' } as const;
  await db.insert(checkouts).values({ ...item, id, expiresAt: now(), createdAt: now(), updatedAt: now() });
  return id;
}
