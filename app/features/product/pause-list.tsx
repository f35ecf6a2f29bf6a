import { Button } from '@mantine/core';
import { Form } from '@remix-run/react';
import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney, type Money } from '~/server/money';

type Subscriber = {
  id: number;
  name: string;
  email: string;
  price: Money;
  periodEnd: Date;
  pausedFrom: Date | null;
  pausedUntil: Date | null;
};

const MONTHS = [1, 2, 3] as const;

/** Monthly subscribers, each with a pause to begin or to end. */
export function PauseList({ subscribers }: { subscribers: Subscriber[] }) {
  const { t } = useTranslation('product');
  if (subscribers.length === 0) return <p>{t('pauses.none')}</p>;
  return subscribers.map((subscriber) => (
    <Section key={subscriber.id} title={subscriber.name || subscriber.email}>
      <Row subscriber={subscriber} />
    </Section>
  ));
}

function Row({ subscriber }: { subscriber: Subscriber }) {
  const { t, language } = useTranslation('product');
  const { id, email, price, periodEnd, pausedFrom, pausedUntil } = subscriber;
  const day = (at: Date) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  const isPaused = pausedFrom !== null && pausedUntil !== null;
  return (
    <Form method="post">
      <input type="hidden" name="subscription" value={id} />
      <p>
        <bdi>{email}</bdi> · {t('pauses.price', { price: formatMoney(price, language) })}
      </p>
      <p>
        {isPaused
          ? t('pauses.paused', { from: day(pausedFrom), until: day(pausedUntil) })
          : t('pauses.from', { date: day(periodEnd) })}
      </p>
      {isPaused ? (
        <Button type="submit" variant="default" name="intent" value="end">
          {t('pauses.end')}
        </Button>
      ) : (
        <>
          <label htmlFor={`months-${id}`}>{t('pauses.months')}</label>{' '}
          <select id={`months-${id}`} name="months" defaultValue="1">
            {MONTHS.map((count) => (
              <option key={count} value={count}>
                {t('pauses.count', { count })}
              </option>
            ))}
          </select>{' '}
          <Button type="submit" variant="default" name="intent" value="pause">
            {t('pauses.start')}
          </Button>
        </>
      )}
    </Form>
  );
}
