import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { useTranslation } from '~/app/lib/translation';
import type { CoverUrls } from '~/server/domain/media/rules';

type Props = {
  product: { name: string; language: string; cover: CoverUrls };
  creator: string;
  pageUrl: string;
  /** Empty without a recipient, a giver or a message. */
  to: string;
  from: string;
  message: string;
};

/** A gift as its recipient sees it: the wrapped cover, who gives it, and their message. */
export function GiftCard({ product, creator, pageUrl, to, from, message }: Props) {
  const { t } = useTranslation('buying');
  return (
    <section className="gift-card" aria-label={t('gift.card.title')}>
      <div className="gift-cover">
        <CoverPicture cover={product.cover} alt="" wide={176} />
        <Bow />
      </div>
      <div className="gift-words">
        <p className="gift-to">{to ? <bdi>{t('gift.card.for', { name: to })}</bdi> : t('gift.card.title')}</p>
        <p className="gift-show" {...inLanguage(product.language)}>
          <a href={pageUrl}>{product.name}</a>
        </p>
        <p className="small">{t('by', { name: creator })}</p>
        {message && <blockquote dir="auto">{message}</blockquote>}
        <p className="gift-from">
          {from ? <bdi>{t('gift.open.from', { giver: from })}</bdi> : t('gift.open.unsigned')}
        </p>
      </div>
    </section>
  );
}

/** The bow over the crossing of the ribbons, which are CSS. */
const Bow = () => (
  <svg className="gift-bow" viewBox="0 0 64 48" aria-hidden="true" focusable="false">
    <path d="M32 24C24 4 8 2 6 12c-2 9 14 13 26 12zM32 24C40 4 56 2 58 12c2 9-14 13-26 12zM30 25 18 46l-2-8-8 1zM34 25l12 21 2-8 8 1z" />
    <circle cx="32" cy="24" r="6" />
  </svg>
);
