import { AddressLink } from '~/app/components/address-link';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { useViewer } from '~/app/lib/root-data';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { HomeProduct, HomeSample } from './home-data.server';

const PROMISES = ['leave', 'page', 'respect'] as const;

/** The marketing home page: a description of Altavoz, one next step, and an episode to play. */
export function Home({ view }: { view: { sample: HomeSample | null; shelf: HomeProduct[] } }) {
  const { t } = useTranslation('marketing');
  const { sample, shelf } = view;
  return (
    <SiteShell>
      <div className="wrap">
        <section className={sample ? 'hero' : 'hero alone'}>
          <div>
            <h1>{t('home.headline')}</h1>
            <p className="lead">{t('home.lead')}</p>
            <NextStep />
          </div>
          {sample && <Sample sample={sample} />}
        </section>
        <section className="promises">
          {PROMISES.map((name) => (
            <div key={name}>
              <h2>{t(`home.promise.${name}`)}</h2>
              <p>{t(`home.promise.${name}Text`)}</p>
            </div>
          ))}
        </section>
        {shelf.length > 0 && <Shelf products={shelf} />}
        <section className="closing">
          <h2>{t('home.closing')}</h2>
          <NextStep />
        </section>
      </div>
    </SiteShell>
  );
}

function NextStep() {
  const { t } = useTranslation('marketing');
  const paths = useSitePaths();
  const viewer = useViewer();
  return (
    <p className="actions">
      {viewer ? (
        <Link className="button" to={viewer.usesStudio ? paths.dashboard : paths.myFeed}>
          {t(viewer.usesStudio ? 'home.toStudio' : 'home.toFeed')}
        </Link>
      ) : (
        <Link className="button" to={paths.register()}>
          {t('home.start')}
        </Link>
      )}
      {!viewer && <span className="muted">{t('home.free')}</span>}
    </p>
  );
}

function Sample({ sample: { product, episode } }: { sample: HomeSample }) {
  return (
    <figure className="sample">
      <AddressLink href={product.url} aria-label={product.name}>
        <CoverPicture cover={product.cover} alt="" wide={420} first />
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

function Shelf({ products }: { products: HomeProduct[] }) {
  const { t } = useTranslation('marketing');
  const paths = useSitePaths();
  return (
    <section className="section">
      <h2>{t('home.latest')}</h2>
      <ul className="covers">
        {products.map((product) => (
          <li key={product.id}>
            <AddressLink href={product.url}>
              <CoverPicture cover={product.cover} alt="" wide={320} />
              <h3 {...inLanguage(product.language)}>{product.name}</h3>
              <p className="muted small">{product.creator}</p>
            </AddressLink>
          </li>
        ))}
      </ul>
      <p className="actions">
        <Link className="button plain" to={paths.discover}>
          {t('home.discover')}
        </Link>
      </p>
    </section>
  );
}
