import { redirect } from '@remix-run/node';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';

/** The page that Stripe returns to. It shows nothing, because its URL contains the code. */
export const loader = page(async (door) => {
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  throw redirect(await finish(door), { headers });
});

async function finish({ api, context, url }: Door): Promise<string> {
  const { sellerAccount } = pathsFor(url);
  try {
    await api.sellerAccount.finish(Object.fromEntries(url.searchParams) as never);
    return withDoneMessage(sellerAccount, 'account_connected');
  } catch (error) {
    const { code, status } = context.describeError(error);
    if (status >= 500 || status === 403) throw error;
    const problem = code.startsWith('payout.') ? code.slice('payout.'.length) : 'connecting_expired';
    return `${sellerAccount}?problem=${problem}`;
  }
}
