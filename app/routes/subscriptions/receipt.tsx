import '~/app/styles/product.css';
import '~/app/styles/billing.css';
import type { MetaFunction } from '@remix-run/node';
import { CreditNoteLinks } from '~/app/features/listener/subscriptions/credit-note-links';
import { receiptData } from '~/app/features/listener/subscriptions/receipt-data.server';
import { takenByBank } from '~/app/features/listener/subscriptions/receipt-lines';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';

/** One receipt. */
export const loader = page(async (door) => {
  const { receipt, text } = await receiptData(door);
  return { id: receipt.id, notes: receipt.creditNotes, isTaken: takenByBank(receipt).amountMinor > 0, text };
});

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.text.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function ReceiptPage() {
  const { t } = useTranslation('subscriptions');
  const { id, notes, isTaken, text } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const { contact } = useSitePaths();
  return (
    <SiteShell>
      <article className="wrap feed-page billing-page">
        <h1 className="unbroken">{text.title}</h1>
        {isTaken && (
          <p className="notice">
            {t('receipt.taken')} <Link to={contact}>{t('receipt.contact')}</Link>
          </p>
        )}
        <dl className="receipt-facts">
          {text.facts.map(({ label, lines }) => (
            <div key={label}>
              <dt>{label}</dt>
              {lines.map((line) => (
                <dd key={line} dir="auto">
                  {line}
                </dd>
              ))}
            </div>
          ))}
        </dl>
        <dl className="amounts">
          {text.amounts.map(({ label, amount, isTotal }) => (
            <div key={label} className={isTotal ? 'total' : undefined}>
              <dt>{label}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
        </dl>
        <p className="small muted">{text.note}</p>
        <CreditNoteLinks receipt={id} notes={notes} />
        <p className="form-foot actions">
          <a className="button" href={paths.receiptPdf(id)} download>
            {t('receipt.pdf')}
          </a>
          <Link to={paths.receipts}>{t('receipts.title')}</Link>
        </p>
      </article>
    </SiteShell>
  );
}
