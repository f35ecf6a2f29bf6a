import { and, eq, isNull } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { paymentWarnings } from '~/db/schema/payment-warnings';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { PaymentWarning } from '../../../adapters/payments/objects';
import { localeOf } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueEmail } from '../../notifications/outbox';
import { reasonText } from '../base/bank-words';
import type { SaleRow } from '../base/queries';
import { bringSale } from './bring-sale';

type Warned = { kind: PaymentWarning['kind']; warning: string };

/**
 * Writes a warning about a payment, and tells the operator once: a refund in time avoids a dispute with its fee.
 * Payments on a creator's own account are not ours to refund; the provider warns its owner.
 */
export async function syncWarning(ctx: Ctx, { kind, warning }: Warned): Promise<void> {
  const found = await ctx.ports.payments.fetch.warning(kind, warning);
  const sale = found.payment === null ? null : await bringSale(ctx, found.payment);
  if (!sale || sale.sellerAccount)
    return ctx.log.info({ warning }, 'warning about a payment that is not a sale of ours');
  await transact(ctx, async (tx) => {
    await tx.db.select({ id: sales.id }).from(sales).where(eq(sales.id, sale.id)).for('update');
    const isNew = await writeWarning(tx, sale, found);
    if (isNew && found.open) await tellOperator(tx, sale, found);
  });
}

/** A closed warning stays closed, even if an answer from before is written later. @returns whether it is new */
async function writeWarning(tx: TxCtx, sale: SaleRow, found: PaymentWarning): Promise<boolean> {
  const { id: providerId, kind, reason, open, createdAt: warnedAt } = found;
  const times = { closedAt: open ? null : tx.now(), createdAt: tx.now(), updatedAt: tx.now() };
  const inserted = await tx.db
    .insert(paymentWarnings)
    .values({ providerId, saleId: sale.id, kind, reason, warnedAt, ...times })
    .onConflictDoNothing()
    .returning({ id: paymentWarnings.providerId });
  if (inserted.length === 0 && !open) await closeWarning(tx, providerId);
  return inserted.length > 0;
}

async function tellOperator(tx: TxCtx, sale: SaleRow, { id, kind, reason }: PaymentWarning): Promise<void> {
  const { email } = tx.settings.operator;
  const amount = formatMoney({ minor: sale.amountMinor, currency: sale.currency }, localeOf(DEFAULT_LANGUAGE));
  const words = (key: string) => tx.translate(key, {}, DEFAULT_LANGUAGE);
  const facts = { id, reason: reasonText(words, reason), amount, item: sale.name };
  const t = (key: string) => tx.translate(`mail:payment_warning.${key}`, facts, DEFAULT_LANGUAGE);
  await queueEmail(tx, {
    to: email,
    userId: null,
    topic: 'payment_warning',
    language: DEFAULT_LANGUAGE,
    subject: t(`${kind}.subject`),
    content: {
      heading: t(`${kind}.heading`),
      paragraphs: [t(`${kind}.why`), t('refund'), t('keep')],
      footer: t('footer'),
    },
  });
}

/** Does nothing if it is closed already. */
export async function closeWarning(tx: TxCtx, id: string): Promise<void> {
  const isOpen = and(eq(paymentWarnings.providerId, id), isNull(paymentWarnings.closedAt));
  await tx.db.update(paymentWarnings).set({ closedAt: tx.now(), updatedAt: tx.now() }).where(isOpen);
}
