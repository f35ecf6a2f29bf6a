import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import classes from '~/app/components/page-header.module.css';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { Form, Link, useActionData } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney, type Money } from '~/server/base/money';
import own from './product.module.css';

type ConversionState = {
  isFree: boolean;
  waitingSince: Date | null;
  how: 'at_period_end' | 'refund' | null;
  subscribers: number;
  subscribersAtStart: number;
  lastEnd: Date | null;
  prices: Money[];
};
/** Upper bounds of the refunds. `commission`: Altavoz's share of a refund. */
type Unused = { totals: { refund: Money; share: Money; commission: Money; vat: Money }[] };
/** `unused`: null until the person asks for the amounts, and without `found` until a job has computed them. */
type Props = { state: ConversionState; unused: { askedAt: Date; found: Unused | null } | null };

/** The conversion of a paid show to a free one: the choice before it begins, or its progress. */
export function FreeConversion({ state, unused }: Props) {
  const { t } = useTranslation('product');
  if (state.isFree) return <p>{t('free.isFree')}</p>;
  if (state.how === 'refund') return <Refunding state={state} />;
  if (state.waitingSince) return <Waiting state={state} unused={unused} />;
  return (
    <div className={`${classes.form} ${own.parts}`}>
      <Section title={t('free.what')}>
        <div className={own.text}>
          <p>{t(state.subscribers > 0 ? 'free.subscribers' : 'free.noSubscribers', { count: state.subscribers })}</p>
          <p>{t('free.private')}</p>
          {state.subscribers > 0 && <p>{t('free.choose')}</p>}
        </div>
        {state.subscribers === 0 && <Submit intent="at_period_end">{t('free.now')}</Submit>}
      </Section>
      {state.subscribers > 0 && (
        <>
          <AtPeriodEnd state={state} />
          <WithRefund title={t('free.refundNow')} state={state} unused={unused} />
        </>
      )}
    </div>
  );
}

function AtPeriodEnd({ state: { lastEnd } }: Pick<Props, 'state'>) {
  const { t, locale } = useTranslation('product');
  const timeZone = useCreatorTimeZone();
  return (
    <Section title={t('free.atEnd')}>
      <ul className={own.list}>
        <li>
          {t('free.step.end')}{' '}
          {lastEnd && t('free.lastEnd', { date: formatDateTime(lastEnd, locale, timeZone), timeZone })}
        </li>
        <li>{t('free.step.closed')}</li>
        <li>{t('free.step.done')}</li>
        <li>{t('free.step.back')}</li>
      </ul>
      <Submit intent="at_period_end">{t('free.start')}</Submit>
    </Section>
  );
}

function WithRefund({ title, state, unused }: { title: string } & Props) {
  const { t, locale } = useTranslation('product');
  return (
    <Section title={title}>
      <ul className={own.list}>
        <li>{t('free.refund.end')}</li>
        <li>{t('free.refund.unused')}</li>
        {unused?.found ? (
          <Amounts unused={unused.found} />
        ) : (
          state.prices.map((price) => (
            <li key={price.currency}>{t('free.refund.about', { amount: formatMoney(price, locale) })}</li>
          ))
        )}
        <li>{t('free.refund.failed')}</li>
        <li>{t('free.refund.free')}</li>
        <li>{t('free.refund.final')}</li>
      </ul>
      <RefundStep unused={unused} />
    </Section>
  );
}

/** Nobody can confirm without having seen the amounts. */
function RefundStep({ unused }: Pick<Props, 'unused'>) {
  const { t } = useTranslation('product');
  if (!unused) return <Submit intent="show">{t('free.refund.show')}</Submit>;
  if (unused.found)
    return (
      <Submit intent="refund" confirm={t('free.refund.confirm')}>
        {t('free.refund.start')}
      </Submit>
    );
  return (
    <div className={own.choice}>
      <p className={own.note} role="status">
        {t('free.refund.computing')}
      </p>
      <noscript>
        <Link to="">{t('free.refund.refresh')}</Link>
      </noscript>
    </div>
  );
}

function Amounts({ unused: { totals } }: { unused: Unused }) {
  const { t, locale } = useTranslation('product');
  if (totals.length === 0) return <li>{t('free.refund.nothing')}</li>;
  return totals.map(({ refund, share, commission, vat }) => {
    const amounts = {
      amount: formatMoney(refund, locale),
      share: formatMoney(share, locale),
      commission: formatMoney(commission, locale),
      vat: formatMoney(vat, locale),
    };
    return (
      <li key={refund.currency}>{t(vat.minor > 0 ? 'free.refund.totalWithVat' : 'free.refund.total', amounts)}</li>
    );
  });
}

function Waiting({ state, unused }: Props) {
  const { t, locale } = useTranslation('product');
  const timeZone = useCreatorTimeZone();
  const { subscribers, lastEnd } = state;
  return (
    <div className={`${classes.form} ${own.parts}`}>
      <Section title={t('free.waiting')}>
        <p className={own.plain}>
          {lastEnd
            ? t('free.waitingUntil', {
                count: subscribers,
                date: formatDateTime(lastEnd, locale, timeZone),
                timeZone,
              })
            : t('free.waitingFor', { count: subscribers })}
        </p>
        <Progress state={state} />
        <p className={own.plain}>{t('free.keepText')}</p>
        <Submit intent="keep">{t('free.keep')}</Submit>
      </Section>
      <WithRefund title={t('free.faster')} state={state} unused={unused} />
    </div>
  );
}

function Refunding({ state }: Pick<Props, 'state'>) {
  const { t } = useTranslation('product');
  return (
    <div className={`${classes.form} ${own.parts}`}>
      <Section title={t('free.refunding')}>
        <p className={own.plain}>{t('free.refundingText')}</p>
        <Progress state={state} />
      </Section>
    </div>
  );
}

function Progress({ state: { subscribers, subscribersAtStart } }: Pick<Props, 'state'>) {
  const { t } = useTranslation('product');
  const ended = subscribersAtStart - subscribers;
  return (
    <div>
      <progress className={own.progress} max={subscribersAtStart} value={ended} aria-label={t('free.progress')} />
      <p className={own.note}>{t('free.ended', { ended, all: subscribersAtStart })}</p>
    </div>
  );
}

type SubmitProps = { intent: 'at_period_end' | 'show' | 'refund' | 'keep'; confirm?: string; children: ReactNode };

function Submit({ intent, confirm, children }: SubmitProps) {
  const failure = useActionData<FormFailure>();
  return (
    <Form method="post" className={own.choice} preventScrollReset={intent === 'show'}>
      {confirm && <Checkbox name="isConfirmed" label={confirm} required error={failure?.fields.isConfirmed?.[0]} />}
      <Button
        type="submit"
        name="intent"
        value={intent}
        variant={intent === 'refund' || intent === 'show' ? 'outline' : 'filled'}
      >
        {children}
      </Button>
    </Form>
  );
}
