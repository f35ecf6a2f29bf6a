import type { Door } from '~/app/lib/doors.server';
import { parseId } from '~/app/lib/route-refs';
import { translator } from '~/app/lib/texts.server';
import { receiptText } from './receipt-lines';

/** The data of a receipt, in the language of the page. @throws 404 for another user's receipt */
export async function receiptData({ api, context, params }: Door) {
  const { language, locale } = context;
  const receipt = await api.receipts.get({ id: parseId(params.id) });
  return { receipt, text: receiptText(receipt, { t: translator(language, 'subscriptions'), language, locale }) };
}
