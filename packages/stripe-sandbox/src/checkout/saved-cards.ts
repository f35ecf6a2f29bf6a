import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { idOf } from '../wire/objects';
import { arrayOf, group, oneOf } from '../wire/shapes';

export const SAVED_CARDS = group({ allow_redisplay_filters: arrayOf(oneOf('always', 'limited', 'unspecified')) });

const LISTED = 10;

/**
 * The saved cards that a page offers ("Prefilling saved cards in Checkout"). The first one is chosen already: the
 * default card in `subscription` mode, otherwise the newest.
 */
export async function offeredCards(work: Work, session: Stripe.Checkout.Session): Promise<Stripe.PaymentMethod[]> {
  if (!session.customer || session.mode === 'setup') return [];
  const customer = await work.get('customer', idOf(session.customer));
  const found = await work.list('payment_method', { customer: idOf(session.customer) }, { limit: LISTED });
  const filters: string[] = session.saved_payment_method_options?.allow_redisplay_filters ?? ['always'];
  const offered = found.filter(({ allow_redisplay: value }) => filters.includes(value ?? 'unspecified'));
  const first =
    session.mode === 'subscription' ? idOf(customer?.invoice_settings.default_payment_method ?? null) : null;
  return [...offered.filter(({ id }) => id === first), ...offered.filter(({ id }) => id !== first)];
}

/** How a page marks a card that it saves. A card that was saved before keeps its mark. */
export function markRedisplay(method: Stripe.PaymentMethod, value: 'always' | 'limited'): void {
  if (method.customer === null && method.allow_redisplay === 'unspecified') method.allow_redisplay = value;
}
