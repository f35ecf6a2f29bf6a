import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { Refund } from '../../../adapters/payments/objects';
import { localeOf } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { later } from '../../../base/time';
import { END_REFUND_LIMITS } from '../../../limits/billing';
import { returnRefused } from '../../../queue/jobs/billing';
import type { TxCtx } from '../../../runtime/ctx';
import { queueEmail } from '../../notifications/outbox';
import type { SaleRow } from '../base/queries';
import { isFailed } from '../base/refund-states';

type Returns = { found: Refund[]; failed: Set<string> };

/**
 * Refunds of refused payments can fail days later. Such a refund is repeated like those of endings, and in the end the
 * operator is told, because we still have the money of a buyer who got nothing for it. `failed`: IDs that have failed
 * since the last call, so that each failure is repeated once.
 */
export async function repeatReturns(tx: TxCtx, sale: SaleRow, { found, failed }: Returns): Promise<void> {
  const { checkoutId, paymentId: payment } = sale;
  const own = found.filter(({ reference }) => checkoutId !== null && reference.checkout === checkoutId);
  const isNews = own.some(({ id }) => failed.has(id)) && own.every(({ status }) => isFailed(status));
  if (checkoutId === null || !isNews) return;
  const pause = END_REFUND_LIMITS.pauses[own.length - 1];
  if (pause === undefined) return tellOperator(tx, sale);
  const again = { checkoutId, payment, attempt: own.length };
  await tx.jobs.enqueue(returnRefused, again, { at: later(tx.now(), pause) });
}

async function tellOperator(tx: TxCtx, sale: SaleRow): Promise<void> {
  const { amountMinor: minor, currency, paymentId: payment, name: item } = sale;
  const facts = { payment, item, amount: formatMoney({ minor, currency }, localeOf(DEFAULT_LANGUAGE)) };
  const t = (key: string) => tx.translate(`mail:return_failed.${key}`, facts, DEFAULT_LANGUAGE);
  await queueEmail(tx, {
    to: tx.settings.operator.email,
    userId: null,
    topic: 'return_failed',
    language: DEFAULT_LANGUAGE,
    subject: t('subject'),
    content: { heading: t('heading'), paragraphs: [t('why'), t('how')], footer: t('footer') },
  });
}
