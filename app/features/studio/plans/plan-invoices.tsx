import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import type { PlanInvoice } from '~/server/domain/billing/plan-billing/plan-overview';
import classes from './plans.module.css';
import { usePlanTexts } from './use-plan-texts';

/** The invoices of the plan's payments. */
export function PlanInvoices({ invoices }: { invoices: PlanInvoice[] }) {
  const { locale } = useTranslation('plans');
  const paths = usePaths();
  const { t, date } = usePlanTexts(invoices[0]?.currency ?? 'eur');
  if (invoices.length === 0) return <p className={classes.quiet}>{t('invoices.none')}</p>;
  const money = (minor: number, { currency }: PlanInvoice) => formatMoney({ minor, currency }, locale);
  return (
    <ul className={classes.invoices}>
      {invoices.map((invoice) => (
        <li key={invoice.id} className={classes.invoice}>
          <p>
            {invoice.name} · {date(invoice.paidAt)}
          </p>
          <p>
            {money(invoice.amountMinor, invoice)}
            {invoice.refundedMinor > 0 && (
              <span className={classes.quiet}>
                {' '}
                ({t('invoices.refunded', { amount: money(invoice.refundedMinor, invoice) })})
              </span>
            )}
          </p>
          <p className={classes.links}>
            <Link to={paths.receipt(invoice.id)}>{t('invoices.open')}</Link>
            <a href={paths.receiptPdf(invoice.id)} aria-label={t('invoices.pdf', { date: date(invoice.paidAt) })}>
              PDF
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}
