import { Button } from '~/app/components/button';
import { Disclosure } from '~/app/components/disclosure';
import { Section } from '~/app/components/page-header';
import { Pill } from '~/app/components/pill';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import type { OverdueDates } from '~/server/domain/billing/base/rules';
import type { BuyerDetails, PaymentView } from '~/server/domain/billing/buyers/buyers';
import { formatDay } from './buyer-list';
import { RefundForm } from './refund-form';
import classes from './sales.module.css';

type Props = { details: BuyerDetails; failure?: FormFailure };

/** What follows the failed renewal: dates that are certain, and the retries, whose dates the payment provider sets. */
export function Overdue({ overdue, isUnconfirmed }: { overdue: OverdueDates; isUnconfirmed: boolean }) {
  const { t, locale } = useTranslation('buyers');
  const { reminderAt, accessUntil, hasAccess, endsAt } = overdue;
  const day = (at: Date) => ({ date: formatDay(at, locale) });
  return (
    <p className={classes.notice}>
      {t(isUnconfirmed ? 'overdue.unconfirmed' : 'overdue.retries')}{' '}
      {reminderAt ? t('overdue.reminder', day(reminderAt)) : t('overdue.reminded')}{' '}
      {t(hasAccess ? 'overdue.access' : 'overdue.noAccess', day(accessUntil))} {t('overdue.end', day(endsAt))}
    </p>
  );
}

/** The buyer's payments for the show. The owner can refund each one. */
export function Payments({ details, failure }: Props) {
  const { t } = useTranslation('buyers');
  const { payments } = details;
  return (
    <Section title={t('payments.title')}>
      {payments.length === 0 ? (
        <p className={classes.fact}>{t('payments.none')}</p>
      ) : (
        <ul className={classes.rows}>
          {payments.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} details={details} failure={failure} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function PaymentRow({ payment, details, failure }: Props & { payment: PaymentView }) {
  const { t, locale } = useTranslation('buyers');
  const { currency, amountMinor, refundedMinor, leftMinor, isDisputed, paidAt, purpose, id } = payment;
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const own = failure?.values.saleId === String(id) ? failure : undefined;
  const mayRefund = details.canManage && leftMinor > 0 && !isDisputed;
  return (
    <li className={classes.payment}>
      <p className={classes.name}>
        {money(amountMinor)}
        {refundedMinor > 0 && (
          <Pill tone="plain">
            {t(leftMinor === 0 ? 'payments.refunded' : 'payments.partly', { amount: money(refundedMinor) })}
          </Pill>
        )}
        {isDisputed && <Pill tone="bad">{t('payments.disputed')}</Pill>}
      </p>
      <p className={classes.fact}>
        <time dateTime={paidAt.toISOString()}>{formatDay(paidAt, locale)}</time>
        {purpose === 'gift' && ` · ${t('payments.gift')}`}
      </p>
      {own && (
        <p className={classes.problem} role="alert">
          {own.message ?? Object.values(own.fields).flat().join(' ')}
        </p>
      )}
      {mayRefund && (
        <Disclosure button={t('refund.open')} isOpen={own !== undefined}>
          <RefundForm key={refundedMinor} payment={payment} details={details} failure={own} />
        </Disclosure>
      )}
    </li>
  );
}

/** Ends the buyer's access. The effects are stated before the button, with and without JavaScript. */
export function Removal({ details: { buyer } }: { details: BuyerDetails }) {
  const { t, locale } = useTranslation('buyers');
  const { renewsAt, subscription, state } = buyer;
  const runs = ['subscribed', 'trial', 'past_due', 'cancelled', 'paused'].includes(state) && subscription !== null;
  const date = renewsAt ? formatDay(renewsAt, locale) : '';
  return (
    <Section title={t('remove.title')}>
      <p className={classes.fact}>{t('remove.lead')}</p>
      <Disclosure button={t('remove.open')} isDangerous>
        <ul className={classes.effects}>
          <li>{t('remove.access')}</li>
          {runs && <li>{renewsAt ? t('remove.renewal', { date }) : t('remove.subscription')}</li>}
          <li>{t('remove.money')}</li>
          <li>{t('remove.email')}</li>
        </ul>
        <Form method="post">
          <Button type="submit" name="intent" value="remove" color="red" variant="outline">
            {t('remove.submit')}
          </Button>
        </Form>
      </Disclosure>
    </Section>
  );
}
