import { AddressLink } from '~/app/components/address-link';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { CategoryChips, Shelf } from '~/app/features/site/public/shelf';
import type { PopularView, ShelfShow } from '~/app/features/site/public/shelf-data.server';
import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';
import type { HomeSample, HomeScreen } from './home-data.server';
import { NextStep } from './next-step';
import { PasteFeed } from './paste-feed';

type HomeView = {
  links: LinkGroup[];
  /** The page about moves from other hosts. */
  hosts: string;
  screen: HomeScreen | null;
  sample: HomeSample | null;
  featured: ShelfShow[];
  shelf: ShelfShow[];
  popular: PopularView;
};

const PROMISES = ['leave', 'page', 'respect'] as const;

/** The marketing home page: a description of Altavoz, one next step, and an episode to play. */
export function Home({ view }: { view: HomeView }) {
  const { t } = useTranslation('marketing');
  const paths = useSitePaths();
  const { links, hosts, screen, sample, featured, shelf, popular } = view;
  const shown = featured.length + shelf.length + popular.trending.length;
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <section className={sample ? 'hero' : 'hero alone'}>
          <div>
            <h1>{t('home.headline')}</h1>
            <p className="lead">{t('home.lead')}</p>
            <NextStep />
            <p>
              <Link className="quiet-link" to={paths.pricing}>
                {t('home.prices')}
              </Link>
            </p>
          </div>
          {sample && <Sample sample={sample} />}
        </section>
        <PasteFeed hosts={hosts} />
        {screen && <Screen screen={screen} />}
        <section className="promises">
          {PROMISES.map((name) => (
            <div key={name}>
              <h2>{t(`home.promise.${name}`)}</h2>
              <p>{t(`home.promise.${name}Text`)}</p>
            </div>
          ))}
        </section>
        {shown > 0 && <Listening featured={featured} shelf={shelf} popular={popular} />}
        <section className="closing">
          <h2>{t('home.closing')}</h2>
          <NextStep />
        </section>
      </div>
    </SiteShell>
  );
}

function Screen({ screen: { image, sources } }: { screen: HomeScreen }) {
  const { t } = useTranslation('marketing');
  return (
    <figure className="home-screen">
      <picture>
        {sources.map((source) => (
          <source key={source.srcSet} {...source} />
        ))}
        <img {...image} alt={t('home.screen')} loading="lazy" />
      </picture>
      <figcaption>{t('home.screenNote')}</figcaption>
    </figure>
  );
}

function Sample({ sample: { product, episode } }: { sample: HomeSample }) {
  return (
    <figure className="sample">
      <AddressLink href={product.url} aria-label={product.name}>
        <CoverPicture cover={product.cover} alt="" wide={420} onPhones={24} />
      </AddressLink>
      <figcaption>
        {episode.track && <TrackPlayer track={episode.track} />}
        <span>
          <AddressLink className="quiet-link" href={product.url} {...inLanguage(product.language)}>
            {episode.name}
          </AddressLink>
          <span className="muted small">
            <bdi lang={product.language}>{product.name}</bdi> · <bdi>{product.creator}</bdi>
          </span>
        </span>
      </figcaption>
    </figure>
  );
}

/** For listeners: search, categories, and what is played now. */
function Listening({ featured, shelf, popular }: Omit<HomeView, 'links' | 'hosts' | 'screen' | 'sample'>) {
  const { t } = useTranslation('marketing');
  const paths = useSitePaths();
  return (
    <section className="listeners" aria-labelledby="listeners">
      <div className="listeners-head">
        <h2 id="listeners">{t('home.listen')}</h2>
        <search>
          <form method="get" action={paths.discover}>
            <input
              className="input"
              type="search"
              name="search"
              maxLength={PAGE_LIMITS.searchLength}
              aria-label={t('home.search')}
              placeholder={t('home.searchWords')}
            />
            <button className="button plain" type="submit">
              {t('home.searchSubmit')}
            </button>
          </form>
        </search>
      </div>
      <CategoryChips categories={popular.categories} label={t('home.categories')} />
      <Shelf title={t('home.featured')} shows={featured} />
      <Shelf title={t('home.trending')} shows={popular.trending} />
      <Shelf title={t('home.latest')} shows={shelf} />
      <p className="actions">
        <Link className="button plain" to={paths.discover}>
          {t('home.discover')}
        </Link>
      </p>
    </section>
  );
}
