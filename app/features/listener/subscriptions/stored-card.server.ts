import { redirect } from '@remix-run/node';
import { withDoneMessage } from '~/app/lib/done-message';
import type { Door } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';

/**
 * After the provider's page for a new card: it is charged from now on. The webhook does the same, so this only makes the
 * page right at once. @returns why the card could not be charged @throws a redirect without the checkout
 */
export async function storedCard({ api, context, url }: Door): Promise<string | null> {
  const checkout = url.searchParams.get('checkout');
  if (!checkout) return null;
  const { paymentMethods, subscriptions } = pathsFor(url);
  let next = withDoneMessage(paymentMethods, 'card_added');
  try {
    const { subscription } = await api.cards.finish({ checkout });
    // what was charged to another card stays there
    if (subscription !== null) next = withDoneMessage(subscriptions, 'card_changed');
  } catch (error) {
    const problem = context.describeError(error);
    if (problem.unexpected || problem.kind === 'unauthenticated' || problem.kind === 'not_found') throw error;
    return problem.message;
  }
  throw redirect(next);
}
