import { redirect } from '@remix-run/node';
import { withDoneMessage } from '~/app/lib/done-message';
import type { Door } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';

/**
 * Charges a new card from now on, after the return from the provider's page. The webhook does the same, so this only
 * updates the page at once.
 * @returns why the card could not be charged
 * @throws a redirect if the checkout is missing
 */
export async function storedCard({ api, context, url }: Door): Promise<string | null> {
  const checkout = url.searchParams.get('checkout');
  if (!checkout) return null;
  const { paymentMethods, subscriptions } = pathsFor(url);
  let next = withDoneMessage(paymentMethods, 'card_added');
  try {
    const { subscription } = await api.cards.finish({ checkout });
    // payments charged to another card stay there
    if (subscription !== null) next = withDoneMessage(subscriptions, 'card_changed');
  } catch (error) {
    const problem = context.describeError(error);
    if (problem.unexpected || problem.kind === 'unauthenticated' || problem.kind === 'not_found') throw error;
    return problem.message;
  }
  throw redirect(next);
}
