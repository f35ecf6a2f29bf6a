import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { Link } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { KINDS } from '~/server/domain/products/kinds';
import { inLanguage } from './content-language';
import { CoverPicture } from './cover-picture';
import { ListenInApp } from './listen-in-app';
import { Listings } from './listings';
import type { CreatorCard, ListedEpisode, ProductCard } from './page-data.server';
import { PriceSwitch } from './price-switch';
import type { PriceLabels } from './product-page-data.server';
import type { QrCodeData } from './qr-code.server';

type Props = {
  creator: CreatorCard;
  product: ProductCard;
  price: PriceLabels | null;
  featured: (ListedEpisode & { isTrailer: boolean }) | null;
  feedUrl: string | null;
  qr: QrCodeData | null;
  listings: { name: string; url: string }[];
};

/** The show's description, its price, and an episode to play at once. */
export function ProductHead({ creator, product, price, featured, feedUrl, qr, listings }: Props) {
  const { t } = useTranslation('public');
  const paths = usePublicPaths();
  const first = KINDS[product.kind].playOrder === 'oldest_first' ? 'playFirst' : 'playLatest';
  return (
    <div className="product-intro">
      <CoverPicture cover={product.cover} alt="" wide={320} first />
      <div>
        <p className="facts">
          <span>{t(`kind.${product.kind}`)}</span>
          <span>{t('episodes.count', { count: product.episodesCount })}</span>
        </p>
        <h1 {...inLanguage(product.language)}>{product.name}</h1>
        <p className="by">
          <Link to={paths.creator}>{t('by', { name: creator.name })}</Link>
        </p>
        {price && <PriceSwitch price={price} />}
        <div className="start">
          {featured?.track && (
            <TrackPlayer track={featured.track}>{t(featured.isTrailer ? 'playTrailer' : first)}</TrackPlayer>
          )}
          {feedUrl !== null && <ListenInApp feedUrl={feedUrl} qr={qr} />}
        </div>
        <Listings listings={listings} />
      </div>
    </div>
  );
}
