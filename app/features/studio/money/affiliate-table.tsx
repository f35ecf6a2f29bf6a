import { CopyButton } from '~/app/components/copy-button';
import { StackedTable } from '~/app/components/stacked-table';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { AffiliateLink, BroughtFigures } from '~/server/domain/affiliates/affiliate-page';
import classes from './money.module.css';

const COUNTS = ['visits', 'signUps', 'plans'] as const;
const AMOUNTS = { pending: 'pendingMinor', booked: 'bookedMinor' } as const;
const AMOUNT_NAMES = ['pending', 'booked'] as const;

type Props = { links: AffiliateLink[]; total: BroughtFigures };

/** What each link has brought, and all together. */
export function AffiliateTable({ links, total }: Props) {
  const { t } = useTranslation('affiliates');
  const columns = ['link', ...COUNTS, ...AMOUNT_NAMES].map((column) => t(column));
  return (
    <StackedTable className={classes.table} label={t('links')} columns={columns}>
      {links.map((link) => (
        <tr key={link.id}>
          <th scope="row">
            <bdi>{link.name}</bdi>
            <span className={classes.fact}>{link.url.replace(/^https?:\/\//, '')}</span>
            <CopyButton text={link.url} label={t('copy')} done={t('copied')} />
          </th>
          <Figures figures={link} />
        </tr>
      ))}
      {links.length > 1 && (
        <tr>
          <th scope="row">{t('total')}</th>
          <Figures figures={total} />
        </tr>
      )}
    </StackedTable>
  );
}

function Figures({ figures }: { figures: BroughtFigures }) {
  const { t, locale } = useTranslation('affiliates');
  return (
    <>
      {COUNTS.map((name) => (
        <td key={name} data-label={t(name)}>
          {formatNumber(figures[name], locale)}
        </td>
      ))}
      {AMOUNT_NAMES.map((name) => (
        <td key={name} data-label={t(name)}>
          {figures.money.length === 0
            ? '–'
            : figures.money.map((money) => (
                <span key={money.currency} className={classes.amount}>
                  {formatMoney({ minor: money[AMOUNTS[name]], currency: money.currency }, locale)}
                </span>
              ))}
        </td>
      ))}
    </>
  );
}
