import { NativeSelect } from '@mantine/core';
import { FilterForm } from '~/app/components/filter-form';
import { IntentButton } from '~/app/components/intent-button';
import { StackedTable } from '~/app/components/stacked-table';
import { Form } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate, formatNumber } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { DonorView } from '~/server/domain/donations/queries';
import type { DonorQuery } from './donor-query';
import classes from './donors.module.css';

type Totals = { donations: number; receivedMinor: number; monthlyMinor: number; currency: 'eur' | 'usd' };

/** The totals of all donations, in large type. */
export function DonationTotals({ totals }: { totals: Totals }) {
  const { t, locale } = useTranslation('donation');
  const money = (minor: number) => formatMoney({ minor, currency: totals.currency }, locale);
  const figures = [
    { name: t('donors.received'), value: money(totals.receivedMinor), help: t('donors.before') },
    { name: t('donors.monthly'), value: money(totals.monthlyMinor) },
    { name: t('donors.count'), value: formatNumber(totals.donations, locale) },
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, value, help }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {help && <dd className={classes.help}>{help}</dd>}
        </div>
      ))}
    </dl>
  );
}

export function DonorFilter({ query }: { query: DonorQuery }) {
  const { t } = useTranslation('donation');
  const search = { label: t('donors.search'), value: query.search };
  return (
    <FilterForm label={t('donors.filter')} apply={t('donors.apply')} search={search}>
      <NativeSelect
        name="every"
        aria-label={t('donors.every')}
        defaultValue={query.every ?? ''}
        data={[
          { value: '', label: t('donors.all') },
          { value: 'once', label: t('donors.once') },
          { value: 'month', label: t('donors.month') },
        ]}
      />
    </FilterForm>
  );
}

const COLUMNS = ['donor', 'amount', 'rhythm', 'since', 'total'] as const;

export function DonorTable({ donors, showsWall }: { donors: DonorView[]; showsWall: boolean }) {
  const { t } = useTranslation('donation');
  const moderates = useIsEditor() && showsWall;
  const columns = [...COLUMNS, ...(moderates ? (['wall'] as const) : [])];
  return (
    <StackedTable className={classes.table} columns={columns.map((column) => t(`donors.${column}`))}>
      {donors.map((donor) => (
        <DonorRow key={donor.id} donor={donor} moderates={moderates} />
      ))}
    </StackedTable>
  );
}

function DonorRow({ donor, moderates }: { donor: DonorView; moderates: boolean }) {
  const { t, locale } = useTranslation('donation');
  const { name, email, message, currency, isAnonymous, isHidden } = donor;
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const since = formatDate(donor.since, locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <tr>
      <th scope="row">
        <bdi>{name || t('donors.noName')}</bdi>
        <span className={classes.fact}>{email}</span>
        {message && (
          <span className={classes.message} dir="auto">
            {message}
          </span>
        )}
        {isAnonymous && <span className={classes.fact}>{t('donors.anonymous')}</span>}
        {isHidden && <span className={classes.fact}>{t('donors.hidden')}</span>}
      </th>
      <td data-label={t('donors.amount')}>{money(donor.amountMinor)}</td>
      <td data-label={t('donors.rhythm')}>{t(`state.${donor.state}`)}</td>
      <td data-label={t('donors.since')}>
        <time dateTime={donor.since.toISOString()}>{since}</time>
      </td>
      <td data-label={t('donors.total')}>{money(donor.paidMinor)}</td>
      {moderates && (
        <td data-label={t('donors.wall')}>
          <WallButton donor={donor} />
        </td>
      )}
    </tr>
  );
}

function WallButton({ donor: { id, name, email, isHidden } }: { donor: DonorView }) {
  const { t } = useTranslation('donation');
  const intent = isHidden ? 'show' : 'hide';
  return (
    <Form method="post" preventScrollReset className={classes.button}>
      <input type="hidden" name="id" value={id} />
      <IntentButton intent={intent} label={t(`donors.${intent}Of`, { name: name || email })}>
        {t(`donors.${intent}`)}
      </IntentButton>
    </Form>
  );
}
