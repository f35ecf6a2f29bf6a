import { StackedTable } from '~/app/components/stacked-table';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { PayoutView } from '~/server/domain/payouts/request-payout';
import classes from './money.module.css';
import { paperPath } from './money-paths';

const COLUMNS = ['requested', 'amount', 'state', 'destination', 'papers'] as const;

export function PayoutTable({ payouts }: { payouts: PayoutView[] }) {
  const { t } = useTranslation('money');
  return (
    <StackedTable className={classes.table} columns={COLUMNS.map((column) => t(`column.${column}`))}>
      {payouts.map((payout) => (
        <PayoutRow key={payout.id} payout={payout} />
      ))}
    </StackedTable>
  );
}

function PayoutRow({ payout }: { payout: PayoutView }) {
  const { t, locale } = useTranslation('money');
  const paths = usePaths();
  const { id, amountMinor, currency, status, requestedAt, paidAt, reversedAt, destination, reason, papers } = payout;
  const at = status === 'reversed' ? reversedAt : paidAt;
  return (
    <tr>
      <th scope="row">
        <time dateTime={requestedAt.toISOString()}>{formatDate(requestedAt, locale)}</time>
      </th>
      <td data-label={t('column.amount')}>{formatMoney({ minor: amountMinor, currency }, locale)}</td>
      <td data-label={t('column.state')} className={classes.state}>
        {t(`state.${status}`, { date: at ? formatDate(at, locale) : '' })}
        {reason && <span className={classes.fact}>{t('reason', { reason })}</span>}
      </td>
      <td data-label={t('column.destination')}>{destination}</td>
      <td data-label={t('column.papers')}>
        {papers.map(({ kind, number }) => (
          <a key={kind} href={paperPath(paths, id, kind)} download className={classes.paper}>
            {t(`paper.${kind}`, { number })}
          </a>
        ))}
      </td>
    </tr>
  );
}
