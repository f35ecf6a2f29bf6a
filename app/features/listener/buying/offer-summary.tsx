import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { useTranslation } from '~/app/lib/translation';
import type { OfferData, SaleView } from './offer-data.server';

/** The show that the buyer is about to buy. */
export function BoughtShow({ product, creator, pageUrl }: Pick<OfferData, 'product' | 'creator' | 'pageUrl'>) {
  const { t } = useTranslation('buying');
  return (
    <div className="bought-show">
      <CoverPicture cover={product.cover} alt="" wide={96} />
      <div>
        <p className="bought-name" {...inLanguage(product.language)}>
          <a href={pageUrl}>{product.name}</a>
        </p>
        <p className="small muted">{t('by', { name: creator })}</p>
      </div>
    </div>
  );
}

/** The amounts charged today and later. */
export function Bill({ sale }: { sale: SaleView }) {
  const { t } = useTranslation('buying');
  const { price, coupon, today, lines, trialDays } = sale;
  return (
    <section className="bill" aria-labelledby="bill-title">
      <h2 id="bill-title" className="hidden-visually">
        {t('bill.title')}
      </h2>
      <dl>
        <div>
          <dt>{t('bill.price')}</dt>
          <dd>{price}</dd>
        </div>
        {coupon && (
          <div>
            <dt>{t('bill.coupon', { code: coupon.code })}</dt>
            <dd>{coupon.discount}</dd>
          </div>
        )}
        <div className="bill-today">
          <dt>{t('bill.today')}</dt>
          <dd>{today}</dd>
        </div>
      </dl>
      <p className="small muted">{t('bill.vat')}</p>
      {trialDays > 0 && <p className="notice">{t('bill.trial', { count: trialDays })}</p>}
      <ul className="small">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
