import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { Link } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { inLanguage } from './content-language';
import { CoverPicture } from './cover-picture';
import type { ListRow } from './list-row.server';
import { type FeedInApps, ListenInApp } from './listen-in-app';
import { Listings } from './listings';
import type { ShownNumber } from './numbers.server';
import type { CreatorCard, ProductCard } from './page-data.server';
import { Share } from './share';
import type { SharedPage } from './shared-page.server';

type Featured = ListRow & { isTrailer: boolean };
type Props = {
  creator: CreatorCard;
  product: ProductCard;
  numbers: ShownNumber[];
  featured: Featured | null;
  inApp: FeedInApps | null;
  share: SharedPage;
  listings: { name: string; url: string }[];
};

/** The show at a glance, and an episode to play at once. */
export function ProductHead({ creator, product, numbers, featured, inApp, share, listings }: Props) {
  const { t } = useTranslation('public');
  const paths = usePublicPaths();
  return (
    <div className="show-head">
      <CoverPicture cover={product.cover} alt="" wide={280} first />
      <div className="names">
        <p className="facts">
          <span>{t(`kind.${product.kind}`)}</span>
        </p>
        <h1 {...inLanguage(product.language)}>{product.name}</h1>
        <p className="by">
          <Link to={paths.creator}>{t('by', { name: creator.name })}</Link>
        </p>
      </div>
      <div className="below">
        {numbers.length > 0 && <Numbers numbers={numbers} />}
        <div className="start">
          {featured && <FirstSound featured={featured} />}
          {inApp && <ListenInApp {...inApp} />}
          <Share {...share} episodeId={null} />
        </div>
        <Listings listings={listings} />
      </div>
    </div>
  );
}

function Numbers({ numbers }: { numbers: ShownNumber[] }) {
  const { t } = useTranslation('public');
  return (
    <ul className="numbers" aria-label={t('numbers.label')}>
      {numbers.map(({ value, of }) => (
        <li key={of}>
          <strong>{value}</strong> {of}
        </li>
      ))}
    </ul>
  );
}

/** The trailer, otherwise the first episode or, if it is locked, its promo. */
function FirstSound({ featured }: { featured: Featured }) {
  const { t } = useTranslation('public');
  const { track, promo, isTrailer, isPart } = featured;
  const first = isPart ? 'playFirst' : 'playLatest';
  if (track) return <TrackPlayer track={track}>{t(isTrailer ? 'playTrailer' : first)}</TrackPlayer>;
  return promo ? <TrackPlayer track={promo}>{t('promo.listen')}</TrackPlayer> : null;
}
