import { StackedTable } from '~/app/components/stacked-table';
import { type Paths, usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { type Currency, formatMoney } from '~/server/base/money';
import { receiptNumberOf } from '~/server/domain/billing/base/rules';
import type { Statement, StatementEntry } from '~/server/domain/payouts/statements';
import { kindOf } from './entry-kind';
import classes from './money.module.css';

/** The opening balance, its changes, and the closing balance. */
export function StatementTotals({ statement }: { statement: Statement }) {
  const { t, locale } = useTranslation('money');
  const { openingMinor, closingMinor, byKind, currency } = statement;
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('statement.opening')}</dt>
        <dd>{money(openingMinor)}</dd>
      </div>
      {byKind.map(({ kind, minor }) => (
        <div key={kind}>
          <dt>{t(`total.${kind}`)}</dt>
          <dd>{money(minor)}</dd>
        </div>
      ))}
      <div>
        <dt>{t('statement.closing')}</dt>
        <dd>{money(closingMinor)}</dd>
      </div>
    </dl>
  );
}

const AMOUNTS = ['gross', 'vat', 'commission', 'share'] as const;
const COLUMNS = ['what', 'date', ...AMOUNTS] as const;

export function StatementTable({ entries, currency }: { entries: StatementEntry[]; currency: Currency }) {
  const { t } = useTranslation('money');
  return (
    <StackedTable className={classes.table} columns={COLUMNS.map((column) => t(`entry.${column}`))}>
      {entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} currency={currency} />
      ))}
    </StackedTable>
  );
}

function EntryRow({ entry, currency }: { entry: StatementEntry; currency: Currency }) {
  const { t, locale } = useTranslation('money');
  const { at, note, sale, grossMinor, vatMinor, commissionMinor, shareMinor } = entry;
  const amounts = { gross: grossMinor, vat: vatMinor, commission: commissionMinor, share: shareMinor };
  return (
    <tr>
      <th scope="row">
        {t(`kind.${kindOf(entry)}`)}
        {sale && <SaleFacts entry={entry} />}
        {note && <span className={classes.fact}>{note}</span>}
      </th>
      <td data-label={t('entry.date')}>
        <time dateTime={at.toISOString()}>{formatDate(at, locale)}</time>
      </td>
      {AMOUNTS.map((name) => (
        <td key={name} data-label={t(`entry.${name}`)}>
          {sale || name === 'share' ? formatMoney({ minor: amounts[name], currency }, locale) : ''}
        </td>
      ))}
    </tr>
  );
}

/** The show and its buyer, with links to both. */
function SaleFacts({ entry }: { entry: StatementEntry }) {
  const { t } = useTranslation('money');
  const { user } = useStudio();
  const paths = usePaths();
  const { sale, product } = entry;
  if (!sale) return null;
  const name = sale.buyer || t('entry.guest');
  const to = placeOf(entry, paths, user.creator?.id ?? 0);
  return (
    <>
      <span className={classes.fact} dir="auto">
        {product ? <Link to={paths.product(product)}>{sale.name}</Link> : sale.name}
      </span>
      <span className={classes.fact}>
        {to ? <Link to={to}>{name}</Link> : <bdi>{name}</bdi>}
        {' · '}
        {t('entry.receipt', { number: receiptNumberOf(sale.receiptNumber) })}
      </span>
    </>
  );
}

/** Path of the buyer's page, or of the donor in the list; null if neither exists. */
function placeOf({ sale, product }: StatementEntry, paths: Paths, creatorId: number): string | null {
  if (sale?.purpose === 'donation') return `${paths.donors(creatorId)}?search=${encodeURIComponent(sale.buyer)}`;
  return product && sale && sale.userId !== null ? paths.buyer(product, sale.userId) : null;
}
