import { NativeSelect } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { formatMoney, type Money } from '~/server/base/money';
import classes from './pause-list.module.css';

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

/** Monthly subscribers, each with a button that starts or ends a pause. */
export function PauseList({ subscribers }: { subscribers: Subscriber[] }) {
  const { t } = useTranslation('product');
  if (subscribers.length === 0) return <p>{t('pauses.none')}</p>;
  return (
    <div className={classes.subscribers}>
      {subscribers.map((subscriber) => (
        <Section key={subscriber.id} title={subscriber.name || subscriber.email}>
          <SubscriberRow subscriber={subscriber} />
        </Section>
      ))}
    </div>
  );
}

function SubscriberRow({ subscriber }: { subscriber: Subscriber }) {
  const { t, locale } = useTranslation('product');
  const { id, email, price, periodEnd, pausedFrom, pausedUntil } = subscriber;
  const day = (at: Date) => formatDate(at, locale);
  const isPaused = pausedFrom !== null && pausedUntil !== null;
  return (
    <Form method="post" className={classes.subscriber}>
      <input type="hidden" name="subscription" value={id} />
      <p>
        <bdi>{email}</bdi> · {t('pauses.price', { price: formatMoney(price, locale) })}
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
        <div className={classes.pause}>
          <NativeSelect
            name="months"
            label={t('pauses.months')}
            defaultValue="1"
            data={MONTHS.map((count) => ({ value: String(count), label: t('pauses.count', { count }) }))}
          />
          <Button type="submit" variant="default" name="intent" value="pause">
            {t('pauses.start')}
          </Button>
        </div>
      )}
    </Form>
  );
}
