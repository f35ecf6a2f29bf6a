import '~/app/styles/product.css';
import '~/app/styles/billing.css';
import type { MetaFunction } from '@remix-run/node';
import { CreditNoteLinks } from '~/app/features/listener/subscriptions/credit-note-links';
import { SubscriberFrame } from '~/app/features/listener/subscriptions/frame';
import { type ReceiptFacts, takenByBank } from '~/app/features/listener/subscriptions/receipt-lines';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { type Currency, formatMoney } from '~/server/base/money';

/** Every payment of the current user, latest first. */
export const loader = page(async ({ api, context, url }) => ({
  title: translator(context.language, 'subscriptions')('receipts.title'),
  receipts: await api.receipts.list({ page: Number(url.searchParams.get('page') ?? 1) || 1 }),
}));

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function ReceiptsPage() {
  const { t, locale } = useTranslation('subscriptions');
  const { title, receipts } = useLoaderData<typeof loader>();
  const paths = usePaths();
  return (
    <SubscriberFrame title={title}>
      {receipts.total === 0 && <p className="lead">{t('receipts.none')}</p>}
      <ul className="receipts">
        {receipts.items.map(
          ({ id, number, name, creator, amountMinor, refundedMinor, currency, paidAt, creditNotes }) => (
            <li key={id}>
              <div>
                <h2 dir="auto">
                  <Link to={paths.receipt(id)}>{name}</Link>
                </h2>
                <p className="facts">
                  <span>{formatDate(paidAt, locale)}</span>
                  <bdi>{creator}</bdi>
                  <span className="unbroken">{number}</span>
                </p>
                {refundedMinor > 0 && (
                  <p className="small">
                    {t('receipts.refunded', { amount: formatMoney({ minor: refundedMinor, currency }, locale) })}
                  </p>
                )}
                <TakenByBank currency={currency} notes={creditNotes} />
                <CreditNoteLinks receipt={id} notes={creditNotes} />
              </div>
              <p className="amount">{formatMoney({ minor: amountMinor, currency }, locale)}</p>
              <a className="button plain slim" href={paths.receiptPdf(id)} download>
                PDF<span className="hidden-visually">: {number}</span>
              </a>
            </li>
          ),
        )}
      </ul>
      <Pages />
    </SubscriberFrame>
  );
}

type Notes = ReceiptFacts['creditNotes'];

function TakenByBank({ currency, notes }: { currency: Currency; notes: Notes }) {
  const { t, locale } = useTranslation('subscriptions');
  const { amountMinor: minor } = takenByBank({ creditNotes: notes });
  if (minor <= 0) return null;
  return <p className="small">{t('receipts.taken', { amount: formatMoney({ minor, currency }, locale) })}</p>;
}

function Pages() {
  const { t } = useTranslation('subscriptions');
  const { page: current, total, pageSize } = useLoaderData<typeof loader>().receipts;
  const paths = usePaths();
  if (total <= pageSize) return null;
  const to = (page: number) => `${paths.receipts}?page=${page}`;
  return (
    <nav className="form-foot actions" aria-label={t('receipts.pages')}>
      {current > 1 && <Link to={to(current - 1)}>{t('receipts.newer')}</Link>}
      {current * pageSize < total && <Link to={to(current + 1)}>{t('receipts.older')}</Link>}
    </nav>
  );
}
