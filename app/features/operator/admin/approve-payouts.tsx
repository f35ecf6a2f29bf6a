import { monthName } from '~/app/lib/month-name';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import { PAYOUT_FILTERS } from '~/server/domain/console/kinds';
import type { PayoutForOperator } from '~/server/domain/payouts/collect-transfers';
import classes from './admin.module.css';
import { ConsoleTable } from './console-table';
import { ConfirmedForm, RowButton } from './row-forms';

export function PayoutFilters({ status }: { status: string }) {
  const { t } = useTranslation('admin');
  return (
    <nav className={classes.tabs} aria-label={t('payouts.filter')}>
      {PAYOUT_FILTERS.map((name) => (
        <Link key={name} to={`?status=${name}`} aria-current={name === status ? 'page' : undefined}>
          {t(`payouts.filters.${name}`)}
        </Link>
      ))}
    </nav>
  );
}

export function PayoutTable({ status, payouts }: { status: string; payouts: PayoutForOperator[] }) {
  const { t, locale } = useTranslation('admin');
  const paths = usePaths();
  return (
    <ConsoleTable
      label={t('payouts.title')}
      rows={payouts}
      empty={status === 'requested' ? t('payouts.empty') : undefined}
      keyOf={({ payout }) => payout.publicId}
      columns={[
        {
          name: t('payouts.creator'),
          cell: ({ payout, creator }) => (
            <Link to={paths.admin(`/creators/${payout.creatorId}`)}>
              <bdi>{creator.name}</bdi>
            </Link>
          ),
        },
        {
          name: t('payouts.amount'),
          cell: ({ payout: { amountMinor: minor, currency } }) => formatMoney({ minor, currency }, locale),
        },
        { name: t('payouts.month'), cell: ({ payout }) => payout.month && monthName(payout.month, locale) },
        {
          name: t('payouts.to'),
          cell: ({ payout }) => [payout.holder, payout.destination].filter(Boolean).join(' · '),
          wraps: true,
        },
        { name: t('users.state'), cell: ({ payout }) => t(`payouts.filters.${payout.status}`) },
        {
          name: t('payouts.file'),
          cell: ({ payout: { transferFile: file, status } }) =>
            file && status === 'approved' ? (
              <a href={`${paths.admin('/payouts/transfers.xml')}?file=${file}`} download>
                {file}
              </a>
            ) : (
              file
            ),
          wraps: true,
        },
        { name: t('actions'), cell: (row) => <Actions row={row} /> },
      ]}
    />
  );
}

function Actions({ row: { payout, creator } }: { row: PayoutForOperator }) {
  const { t } = useTranslation('admin');
  const { publicId: id, status, transferFile } = payout;
  const file = status === 'approved' ? transferFile : null;
  const { name } = creator;
  return (
    <>
      {status === 'requested' && (
        <RowButton intent="approve" hidden={{ id }} label={t('payouts.approveOf', { name })}>
          {t('payouts.approve')}
        </RowButton>
      )}
      {status === 'approved' && (
        <RowButton intent="paid" hidden={{ id }} label={t('payouts.paidOf', { name })}>
          {t('payouts.paid')}
        </RowButton>
      )}
      {status !== 'reversed' && (
        <ConfirmedForm
          intent="reverse"
          hidden={{ id, ...(file && { file }) }}
          title={t('payouts.reverseTitle')}
          label={t('payouts.reverseOf', { name })}
          effects={[file && t('payouts.reverseInFile', { file }), t('payouts.reverseEffects')]
            .filter(Boolean)
            .join(' ')}
          needsReason
        >
          {t('payouts.reverse')}
        </ConfirmedForm>
      )}
    </>
  );
}
