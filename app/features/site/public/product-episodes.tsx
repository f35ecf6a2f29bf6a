import type { Packed } from '~/app/lib/packed';
import { Link } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { EpisodeList } from './episode-list';
import type { ListRow } from './list-row.server';
import { PageSearch, searchPath } from './page-search';
import { Pager } from './pager';
import type { ListedPassages } from './passages.server';
import { SaidWords } from './said-words';

type Props = {
  slug: string;
  isInParts: boolean;
  episodes: Packed<ListRow[]> | null;
  seasons: number[];
  season: number | null;
  /** The words of the search; null if the show has too few episodes for a search. */
  search: string | null;
  page: number;
  pages: number;
  /** Null without a search. */
  passages: ListedPassages | null;
};

/** A show's episodes, by season or by search. Plain links and a plain form give each view its own URL. */
export function ProductEpisodes({ slug, isInParts, episodes, seasons, season, search, page, pages, passages }: Props) {
  const { t } = useTranslation('public');
  const path = usePublicPaths().product(slug);
  const isSaid = (passages?.items.length ?? 0) > 0;
  const none = search ? 'search.none' : 'episodes.none';
  return (
    <section aria-labelledby="episodes">
      <h2 id="episodes">{t(isInParts ? 'parts' : 'episodes')}</h2>
      {search !== null && <PageSearch path={path} search={search} label={t('search.label')} />}
      {seasons.length > 0 && !search && <Seasons path={path} seasons={seasons} season={season} />}
      {episodes && <EpisodeList episodes={episodes} />}
      {!episodes && !isSaid && <p className="muted">{t(none, { words: search ?? '' })}</p>}
      <Pager page={page} pages={pages} />
      {passages && search && <SaidWords passages={passages} search={search} morePath={searchPath(path, search)} />}
    </section>
  );
}

function Seasons({ path, seasons, season }: { path: string } & Pick<Props, 'seasons' | 'season'>) {
  const { t } = useTranslation('public');
  const tab = (number: number | null) => (
    <Link
      key={number}
      to={number === null ? path : `${path}?season=${number}`}
      aria-current={number === season ? 'page' : undefined}
      preventScrollReset
    >
      {number === null ? t('seasons.all') : t('seasons.one', { season: number })}
    </Link>
  );
  return (
    <nav className="tabs" aria-label={t('seasons.label')}>
      {[null, ...seasons].map(tab)}
    </nav>
  );
}
