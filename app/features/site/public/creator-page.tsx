import { TrackPlayer } from '~/app/features/listener/player/track-player';
import type { Packed } from '~/app/lib/packed';
import { Link } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { inLanguage } from './content-language';
import { CoverPicture, IN_GRID } from './cover-picture';
import type { CreatorSections, FeaturedShow, FoundOnPage, ShowCard } from './creator-page-data.server';
import { CallToAction, DonationSection, PageLinks, Testimonials } from './creator-sections';
import { CreatorShell } from './creator-shell';
import { EpisodeList } from './episode-list';
import { LinkedText } from './linked-text';
import type { ListRow } from './list-row.server';
import { NewsletterSection } from './newsletter-form';
import type { CreatorCard } from './page-data.server';
import { HEAD_END } from './page-meta';
import { PageSearch, searchPath } from './page-search';
import { SaidWords } from './said-words';

type CreatorView = {
  creator: CreatorCard;
  featured: FeaturedShow | null;
  products: ShowCard[];
  latest: Packed<ListRow[]> | null;
  sections: CreatorSections;
  /** The words of the search; null if there is little to search. */
  search?: string | null;
  /** Null without a search. */
  found?: FoundOnPage | null;
};

/** Fewer shows than a row has are cards, so that they fill it. */
const A_ROW = 4;

/**
 * A creator's page: introduction, one show first, the others, and the latest episodes beside donations, newsletter and
 * testimonials.
 */
export function CreatorPage({ view }: { view: CreatorView }) {
  const { t } = useTranslation('public');
  const paths = usePublicPaths();
  const { creator, featured, products, latest, sections, search = null, found = null } = view;
  const { callToAction, testimonials, hasNewsletter, donation, tracksReaders } = sections;
  const hasAside = latest !== null && (hasNewsletter || donation !== null || testimonials.length > 0);
  const beside = (
    <>
      {donation && <DonationSection donation={donation} />}
      {hasNewsletter && <NewsletterSection creator={creator.name} tracksReaders={tracksReaders} />}
      {testimonials.length > 0 && <Testimonials list={testimonials} title={t('creator.testimonials')} />}
    </>
  );
  return (
    <CreatorShell
      creator={creator}
      head={<CreatorIntro creator={creator} sections={sections} />}
      isOwnPage
      isReportable
    >
      {featured && !found && <Featured show={featured} />}
      <span id={HEAD_END} hidden />
      {found ? (
        <FoundHere found={found} search={search ?? ''} />
      ) : (
        <>
          {callToAction && <CallToAction call={callToAction} />}
          {(products.length > 0 || !featured) && (
            <section className="section" aria-labelledby="products">
              <h2 id="products">{t(featured ? 'products.more' : 'products')}</h2>
              {products.length === 0 ? (
                <p className="muted">{t('products.none')}</p>
              ) : (
                <ProductGrid products={products} />
              )}
            </section>
          )}
          {latest && (
            <div className={hasAside ? 'section columns' : 'section narrow'}>
              <section aria-labelledby="latest">
                <h2 id="latest">{t('latest')}</h2>
                {search !== null && <PageSearch path={paths.creator} search={search} label={t('search.all')} />}
                <EpisodeList episodes={latest} />
              </section>
              {hasAside && <div className="asks">{beside}</div>}
            </div>
          )}
          {!latest && search !== null && <PageSearch path={paths.creator} search={search} label={t('search.all')} />}
          {!latest && beside}
        </>
      )}
    </CreatorShell>
  );
}

/** The episodes of all shows with the words of a search, in place of the rest of the page. */
function FoundHere({ found: { episodes, passages }, search }: { found: FoundOnPage; search: string }) {
  const { t } = useTranslation('public');
  const path = usePublicPaths().creator;
  return (
    <section className="section narrow" aria-labelledby="found">
      <h2 id="found">{t('episodes')}</h2>
      <PageSearch path={path} search={search} label={t('search.all')} />
      {episodes && <EpisodeList episodes={episodes} />}
      {!episodes && passages.items.length === 0 && <p className="muted">{t('search.none', { words: search })}</p>}
      <SaidWords passages={passages} search={search} morePath={searchPath(path, search)} />
    </section>
  );
}

function CreatorIntro({ creator, sections: { username, links } }: Pick<CreatorView, 'creator' | 'sections'>) {
  const { t } = useTranslation('public');
  return (
    <div className="creator-intro">
      <Avatar creator={creator} />
      <div>
        <h1 dir="auto">{creator.name}</h1>
        {username && <p className="muted">@{username}</p>}
        {creator.about?.title && <h2 dir="auto">{creator.about.title}</h2>}
        {creator.about && (
          <p className="lead" dir="auto">
            <LinkedText parts={creator.about.text} />
          </p>
        )}
        {links.length > 0 && <PageLinks links={links} title={t('creator.links')} />}
      </div>
    </div>
  );
}

/** Phones show the picture at 88 px. */
function Avatar({ creator: { avatar, avatarSmall } }: { creator: CreatorCard }) {
  if (!avatar) return null;
  return (
    <img
      className="avatar"
      src={avatar}
      srcSet={`${avatarSmall} 96w, ${avatar} 320w`}
      sizes="clamp(88px, 12vw, 144px)"
      alt=""
      width={144}
      height={144}
    />
  );
}

/** The show that the page begins with, and its newest sound. */
function Featured({ show }: { show: FeaturedShow }) {
  const { t } = useTranslation('public');
  const paths = usePublicPaths();
  const { sound, language, text } = show;
  const path = paths.product(show.slug);
  return (
    <section className="featured" aria-labelledby="featured">
      <Link to={path} prefetch="intent" tabIndex={-1} aria-hidden="true">
        <CoverPicture cover={show.cover} alt="" wide={320} first />
      </Link>
      <div>
        <ShowFacts show={show} />
        <h2 id="featured" {...inLanguage(language)}>
          <Link to={path} prefetch="intent">
            {show.name}
          </Link>
        </h2>
        <p className="lead" {...inLanguage(language)}>
          {text}
        </p>
        <div className="start">
          {sound?.track && (
            <TrackPlayer track={sound.track}>{t(sound.type === 'trailer' ? 'playTrailer' : 'playLatest')}</TrackPlayer>
          )}
          <Link className="button plain" to={path} prefetch="intent">
            {t('products.see')}
          </Link>
        </div>
      </div>
    </section>
  );
}

function ShowFacts({ show: { kind, episodesCount, price } }: { show: ShowCard }) {
  const { t } = useTranslation('public');
  return (
    <p className="facts">
      <span>{t(`kind.${kind}`)}</span>
      {episodesCount > 0 && <span>{t('episodes.count', { count: episodesCount })}</span>}
      <span>{price ?? t('products.free')}</span>
    </p>
  );
}

function ProductGrid({ products }: { products: ShowCard[] }) {
  const paths = usePublicPaths();
  return (
    <ul className={products.length < A_ROW ? 'covers few' : 'covers'}>
      {products.map((product) => (
        <li key={product.slug}>
          <Link to={paths.product(product.slug)} prefetch="intent">
            <CoverPicture cover={product.cover} alt="" {...IN_GRID} />
            <div>
              <h3 {...inLanguage(product.language)}>{product.name}</h3>
              <ShowFacts show={product} />
            </div>
          </Link>
        </li>
      ))}
    </ul>
  );
}
