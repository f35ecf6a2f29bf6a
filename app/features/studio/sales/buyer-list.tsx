import { Pill, type Tone } from '~/app/components/pill';
import { StackedTable } from '~/app/components/stacked-table';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { BuyerState as State } from '~/db/values/buyer-states';
import { formatDate, type Locale } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { BuyerView } from '~/server/domain/billing/buyers/buyer-list';
import type { KindName } from '~/server/domain/products/kinds';
import classes from './sales.module.css';

type Show = { id: number; kind: KindName; name: string };

const COLUMNS = ['person', 'state', 'since', 'revenue'] as const;

export function BuyerTable({ show, buyers }: { show: Show; buyers: BuyerView[] }) {
  const { t } = useTranslation('buyers');
  return (
    <StackedTable className={classes.table} columns={COLUMNS.map((column) => t(`column.${column}`))}>
      {buyers.map((buyer) => (
        <BuyerRow key={buyer.userId} show={show} buyer={buyer} />
      ))}
    </StackedTable>
  );
}

function BuyerRow({ show, buyer }: { show: Show; buyer: BuyerView }) {
  const { t, locale } = useTranslation('buyers');
  const paths = usePaths();
  const { userId, name, email, since, revenueMinor, currency } = buyer;
  return (
    <tr>
      <th scope="row">
        <Link to={paths.buyer(show, userId)}>
          <bdi>{name || email}</bdi>
        </Link>
        {name && <span className={classes.fact}>{email}</span>}
      </th>
      <td data-label={t('column.state')}>
        <BuyerState buyer={buyer} />
      </td>
      <td data-label={t('column.since')}>
        <time dateTime={since.toISOString()}>{formatDay(since, locale)}</time>
      </td>
      <td data-label={t('column.revenue')}>{formatMoney({ minor: revenueMinor, currency }, locale)}</td>
    </tr>
  );
}

/** The buyer's state, and the date of its next change. */
export function BuyerState({ buyer: { state, isUnconfirmed, until, renewsAt } }: { buyer: BuyerView }) {
  const { t, locale } = useTranslation('buyers');
  const date = until ?? (state === 'subscribed' ? renewsAt : null);
  return (
    <>
      <Pill tone={TONES[state]}>{t(isUnconfirmed ? 'unconfirmed' : `state.${state}`)}</Pill>
      {date && <span className={classes.fact}>{t(`until.${state}`, { date: formatDay(date, locale) })}</span>}
    </>
  );
}

const TONES: Record<State, Tone> = {
  subscribed: 'good',
  trial: 'coming',
  bought: 'good',
  past_due: 'bad',
  cancelled: 'waiting',
  paused: 'waiting',
  gift: 'good',
  invited: 'good',
  following: 'good',
  giver: 'plain',
  ended: 'plain',
};

/** Payment days are in UTC, as on receipts. */
export function formatDay(at: Date, locale: Locale): string {
  return formatDate(at, locale, { dateStyle: 'medium', timeZone: 'UTC' });
}
