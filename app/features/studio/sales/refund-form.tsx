import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Button } from '~/app/components/button';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form, useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney, fromDecimal, toDecimal } from '~/server/base/money';
import type { BuyerDetails, PaymentView } from '~/server/domain/billing/buyers/buyers';
import { refundSplit } from '~/server/domain/payouts/rules';
import { formatDay } from './buyer-list';
import classes from './sales.module.css';

type Props = { payment: PaymentView; details: BuyerDetails; failure?: FormFailure };

/** Refunds a payment. `refundedMinor`, the refunded amount that the page shows, makes a second click harmless. */
export function RefundForm({ payment, details, failure }: Props) {
  const { t } = useTranslation('buyers');
  const { id, currency, leftMinor, refundedMinor } = payment;
  const [text, setText] = useState(failure?.values.amount ?? toDecimal(leftMinor));
  const isSending = useNavigation().formData?.get('saleId') === String(id);
  return (
    <Form method="post" className={classes.refund}>
      <input type="hidden" name="saleId" value={id} />
      <input type="hidden" name="refundedMinor" value={refundedMinor} />
      <TextInput
        name="amount"
        label={t('refund.amount', { currency: currency.toUpperCase() })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={Boolean(failure?.fields.amount)}
        inputMode="decimal"
        autoComplete="off"
      />
      <Effects payment={payment} details={details} minor={fromDecimal(text) ?? leftMinor} />
      <div>
        <Button type="submit" name="intent" value="refund" loading={isSending}>
          {t('refund.submit')}
        </Button>
      </div>
    </Form>
  );
}

/** The effects of the refund. Without JavaScript, they are those of a full refund. */
function Effects({ payment, details, minor }: Omit<Props, 'failure'> & { minor: number }) {
  const { t, locale } = useTranslation('buyers');
  const { currency, leftMinor } = payment;
  const money = (amount: number) => formatMoney({ minor: amount, currency }, locale);
  const refunded = Math.min(minor, leftMinor);
  const split = refundSplit(payment, refunded);
  const { shareMinor, commissionMinor, vatMinor } = split;
  const amounts = { share: money(shareMinor), commission: money(commissionMinor), vat: money(vatMinor) };
  return (
    <ul className={classes.effects} aria-live="polite">
      <li>{t('refund.card', { amount: money(refunded) })}</li>
      <li>{t(vatMinor > 0 ? 'refund.shareWithVat' : 'refund.share', amounts)}</li>
      <li>
        <Access payment={payment} details={details} isAll={refunded === leftMinor} />
      </li>
    </ul>
  );
}

function Access({ payment, details, isAll }: Omit<Props, 'failure'> & { isAll: boolean }) {
  const { t, locale } = useTranslation('buyers');
  const { renewsAt } = details.buyer;
  if (payment.purpose === 'gift') return t('refund.access.gift');
  if (payment.every === null) return t(isAll ? 'refund.access.ends' : 'refund.access.stays');
  if (renewsAt === null) return t('refund.access.stays');
  return t('refund.access.renews', { date: formatDay(renewsAt, locale) });
}
