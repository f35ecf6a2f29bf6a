import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { Pager } from '~/app/features/site/public/pager';
import { Form, Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';
import type { HeardData } from './heard-data.server';
import { NewestEpisodes, Unfinished } from './heard-episodes';
import type { HeardCard } from './my-feed-data.server';

/** A listener's home: what they have started, their shows, and the newest episodes. */
export function FeedHome({ shows, heard }: { shows: HeardCard[]; heard: HeardData }) {
  const { unfinished, search, page } = heard;
  const isFirst = page === 1 && search === '';
  if (shows.length === 0 && unfinished.length === 0) return <NoShows />;
  return (
    <div className="feed-home">
      {isFirst && unfinished.length > 0 && <Unfinished episodes={unfinished} />}
      {shows.length > 0 ? <Shelf shows={shows} /> : <NoShows />}
      {shows.length > 0 && <Newest heard={heard} />}
    </div>
  );
}

function NoShows() {
  const { t } = useTranslation('follow');
  const paths = useSitePaths();
  return (
    <section className="feed-none">
      <p className="lead">{t('mine.none')}</p>
      <p className="form-foot">
        <Link className="button" to={paths.discover}>
          {t('mine.home')}
        </Link>
      </p>
    </section>
  );
}

/** The listener's shows, each with the way to its feed for a podcast app. */
function Shelf({ shows }: { shows: HeardCard[] }) {
  const { t } = useTranslation('follow');
  const paths = useSitePaths();
  return (
    <section className="feed-shows" aria-labelledby="shows">
      <h2 id="shows">{t('mine.shows')}</h2>
      <ul>
        {shows.map(({ id, name, language, cover, url }) => (
          <li key={id}>
            <a href={url}>
              <CoverPicture cover={cover} alt="" wide={148} />
              <h3 {...inLanguage(language)}>{name}</h3>
            </a>
            <Link className="quiet-link small" to={paths.feedLinks(id)}>
              {t('mine.links')}
              <span className="hidden-visually">: {name}</span>
            </Link>
          </li>
        ))}
      </ul>
      {shows.length > 1 && (
        <p className="small muted">
          {t('mine.allText')} <Link to={paths.feedLinks(null)}>{t('mine.all')}</Link>
        </p>
      )}
    </section>
  );
}

function Newest({ heard: { episodes, search, page, hasMore } }: { heard: HeardData }) {
  const { t } = useTranslation('follow');
  const paths = useSitePaths();
  return (
    <section className="feed-newest" aria-labelledby="newest">
      <div className="feed-title">
        <h2 id="newest">{t(search ? 'mine.found' : 'mine.latest', { search })}</h2>
        <search>
          <Form method="get" className="feed-search" key={search}>
            <input
              className="input"
              type="search"
              name="search"
              maxLength={PAGE_LIMITS.searchLength}
              defaultValue={search}
              aria-label={t('mine.search')}
              placeholder={t('mine.search')}
              dir="auto"
            />
            <button className="button plain slim" type="submit">
              {t('mine.searchSubmit')}
            </button>
          </Form>
        </search>
      </div>
      {episodes.length > 0 && <NewestEpisodes episodes={episodes} />}
      {episodes.length === 0 && <p className="lead">{t(search ? 'mine.nothingFound' : 'mine.noEpisodes')}</p>}
      {search && (
        <p className="form-foot">
          <Link to={paths.myFeed}>{t('mine.showAll')}</Link>
        </p>
      )}
      <Pager page={page} hasMore={hasMore} />
    </section>
  );
}
