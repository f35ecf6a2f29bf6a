import { type FormEvent, type ReactNode, useMemo } from 'react';
import { AddressLink } from '~/app/components/address-link';
import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { EpisodeFacts } from '~/app/features/site/public/episode-facts';
import type { ListedPassages } from '~/app/features/site/public/passages.server';
import { SaidWords } from '~/app/features/site/public/said-words';
import { CategoryChips, Shelf } from '~/app/features/site/public/shelf';
import type { PopularView, ShelfShow } from '~/app/features/site/public/shelf-data.server';
import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { markedWords } from '~/app/lib/marked-words';
import { type Packed, unpack } from '~/app/lib/packed';
import { Link, useLocation, useNavigate } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';
import type { DiscoverQuery, FoundShow, Option } from './discover-data.server';

type View = {
  links: LinkGroup[];
  query: DiscoverQuery;
  page: number;
  pages: number;
  total: number;
  isCapped: boolean;
  corrected: string | null;
  options: Record<'category' | 'language' | 'type', Option[]>;
  shows: Packed<FoundShow[]>;
  popular: PopularView | null;
  featured: ShelfShow[];
  /** Null without a search. */
  passages: ListedPassages | null;
};

/** Search and filters, and the matching shows. The form also works without JavaScript. */
export function DiscoverPage({ view }: { view: View }) {
  const { t } = useTranslation('discover');
  const start = view.total > 0 ? view.popular : null;
  return (
    <SiteShell links={view.links}>
      <div className="wrap discover">
        <h1>{t('heading')}</h1>
        <p className="lead">{t('lead')}</p>
        <search>
          <Filters view={view} />
        </search>
        {start && (
          <>
            <Shelf title={t('featured')} shows={view.featured} />
            <Shelf title={t('trending')} shows={start.trending} />
          </>
        )}
        <Results view={view} />
        {view.passages && view.page === 1 && (
          <SaidWords passages={view.passages} search={view.query.search} morePath={pathOf(view.query)} level={2} />
        )}
        {view.total === 0 && <Shelf title={t('trending')} shows={view.popular?.trending ?? []} />}
      </div>
    </SiteShell>
  );
}

function pathOf(query: DiscoverQuery): string {
  return `?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))}`;
}

function Filters({ view: { query, options, popular, total } }: { view: View }) {
  const { t } = useTranslation('discover');
  const navigate = useNavigate();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
    navigate(`?${new URLSearchParams(entries as [string, string][])}`);
  }
  const isFiltered = Object.entries(query).some(([name, value]) => name !== 'search' && value !== '');
  const prices = ['free', 'paid'].map((value) => ({ value, label: t(`price.${value}`) }));
  const orders = ['-popularity', '-created_at', 'name'].map((value) => ({ value, label: t(`order.${value}`) }));
  return (
    // a new search changes the values, which uncontrolled fields read only once
    <form method="get" className="discover-form" key={JSON.stringify(query)} onSubmit={submit}>
      <div className="discover-search">
        <label htmlFor="search">{t('search')}</label>
        <input
          className="input"
          type="search"
          id="search"
          name="search"
          maxLength={PAGE_LIMITS.searchLength}
          defaultValue={query.search}
          dir="auto"
        />
        <button type="submit" className="button">
          {t('submit')}
        </button>
      </div>
      {popular && total > 0 && <CategoryChips categories={popular.categories} label={t('categories')} />}
      <details className="discover-more" open={isFiltered}>
        <summary>{t('filters')}</summary>
        <div className="discover-filters">
          <Choice name="category" query={query} options={options.category} />
          <Choice name="language" query={query} options={options.language} />
          <Choice name="type" query={query} options={options.type} />
          <Choice name="price" query={query} options={prices} />
          <Choice name="ordering" query={query} options={query.search ? orders : orders.slice(1)} />
        </div>
      </details>
    </form>
  );
}

function Choice({ name, query, options }: { name: keyof DiscoverQuery; query: DiscoverQuery; options: Option[] }) {
  const { t } = useTranslation('discover');
  const first = name === 'ordering' && !query.search ? t('order.-popularity') : t(`any.${name}`);
  return (
    <label>
      <span>{t(name)}</span>
      <select className="input" name={name} defaultValue={query[name]}>
        <option value="">{first}</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Results({ view }: { view: View }) {
  const { t } = useTranslation('discover');
  const { total, isCapped, corrected, query, page, pages } = view;
  const shows = useMemo(() => unpack(view.shows), [view.shows]);
  if (shows.length === 0) return view.passages?.items.length ? null : <NothingFound query={query} />;
  const found = corrected ?? query.search;
  const isNamed = found !== '' && !isCapped;
  const count = t(isCapped ? 'results.capped' : isNamed ? 'results.for' : 'results', { count: total, search: found });
  return (
    <section aria-labelledby="results">
      <h2 id="results">
        {view.popular ? t('results.all') : count}{' '}
        {view.popular && <span className="discover-count">{t('results.count', { count: total })}</span>}
      </h2>
      {corrected && (
        <p className="notice" role="status">
          {t('corrected', { search: query.search, corrected })}
        </p>
      )}
      <ul className="discover-results">
        {shows.map((show, i) => (
          <Show key={show.id} show={show} search={corrected ?? query.search} isFirst={!view.popular && i < 2} />
        ))}
      </ul>
      <Pager page={page} pages={pages} />
    </section>
  );
}

function Show({ show, search, isFirst }: { show: FoundShow; search: string; isFirst: boolean }) {
  const { t } = useTranslation('discover');
  const { name, language, price, explicit, excerpt, creator, track, matching } = show;
  return (
    <li>
      <AddressLink className="discover-cover" href={show.url} tabIndex={-1} aria-hidden="true">
        <CoverPicture cover={show.cover} alt="" wide={160} first={isFirst} />
      </AddressLink>
      <div>
        <p className="facts">
          <span>{t(`kind.${show.kind}`)}</span>
          {show.episodesCount > 0 && <span>{t('episodes', { count: show.episodesCount })}</span>}
          <span>{price ?? t('price.free')}</span>
          {explicit && <span className="badge">{t('explicit')}</span>}
        </p>
        <h3 {...inLanguage(language)}>
          <AddressLink href={show.url}>
            <Marked text={name} search={search} />
          </AddressLink>
        </h3>
        <p className="small muted">
          <AddressLink className="quiet-link" href={creator.url} dir="auto">
            {creator.name}
          </AddressLink>
        </p>
        <p className="excerpt" {...inLanguage(language)}>
          {excerpt}
        </p>
        {/* an episode that was searched for has a button of its own */}
        {track && !matching.some((episode) => episode.track) && <TrackPlayer track={track}>{t('play')}</TrackPlayer>}
      </div>
      {matching.length > 0 && <Matching show={show} search={search} />}
    </li>
  );
}

/** The episodes that match, with what tells them apart. */
function Matching({ show: { name, language, matching }, search }: { show: FoundShow; search: string }) {
  const { t } = useTranslation('discover');
  return (
    <ul className="discover-matching" aria-label={t('matching', { name })}>
      {matching.map((episode) => (
        <li key={episode.id}>
          <img className="cover" src={episode.cover} alt="" width={56} height={56} loading="lazy" />
          <div>
            <AddressLink className="quiet-link" href={episode.url} {...inLanguage(language)}>
              <Marked text={episode.name} search={search} />
            </AddressLink>
            <EpisodeFacts episode={episode} />
          </div>
          {episode.track && <TrackPlayer track={episode.track} />}
        </li>
      ))}
    </ul>
  );
}

function Marked({ text, search }: { text: string; search: string }) {
  return markedWords(text, search).map((part, i) => (part.isMatch ? <mark key={i}>{part.text}</mark> : part.text));
}

function NothingFound({ query }: { query: DiscoverQuery }) {
  const { t } = useTranslation('discover');
  const { pathname } = useLocation();
  const isFiltered = Object.values(query).some((value) => value !== '');
  return (
    <section className="discover-empty" role="status">
      <h2>
        {query.search ? t('empty.searched', { search: query.search }) : t(isFiltered ? 'empty.title' : 'empty.noShows')}
      </h2>
      <p className="muted">{t(isFiltered ? 'empty.help' : 'empty.noShowsHelp')}</p>
      {isFiltered && (
        <Link className="button plain" to={pathname}>
          {t('empty.reset')}
        </Link>
      )}
    </section>
  );
}

function Pager({ page, pages }: { page: number; pages: number }) {
  const { t } = useTranslation('discover');
  const { search } = useLocation();
  if (pages < 2) return null;
  const link = (number: number, rel: string, text: ReactNode) => {
    const params = new URLSearchParams(search);
    if (number === 1) params.delete('page');
    else params.set('page', String(number));
    return (
      <Link className="quiet-link" to={`?${params}`} rel={rel}>
        {text}
      </Link>
    );
  };
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      {page > 1 && link(page - 1, 'prev', `← ${t('pager.previous')}`)}
      <span className="small muted">{t('pager.of', { page, pages })}</span>
      {page < pages && link(page + 1, 'next', `${t('pager.next')} →`)}
    </nav>
  );
}
