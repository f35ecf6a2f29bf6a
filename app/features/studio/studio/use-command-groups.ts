import { useEffect, useMemo, useState } from 'react';
import { usePaths } from '~/app/lib/paths';
import { useMay, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useProcedure } from '~/app/lib/trpc';
import { HELP_LIMITS } from '~/server/limits/content';
import { type Command, type CommandGroup, commandsOf, matching } from './commands';
import { useProductInView } from './use-shortcuts';

const PAUSE_MS = 200;

type FoundCommands = { groups: CommandGroup[]; state: 'found' | 'searching' | 'none' | 'failed' };

/** Shows, episodes and help from the server, and actions from the browser. Without words, actions only. */
export function useCommandGroups(words: string): FoundCommands {
  const search = words.trim();
  const actions = useActions(search);
  const { shows, episodes, isSearching, hasFailed } = useFoundNames(search);
  const help = useHelp(search);
  const groups = [
    { name: 'shows', commands: shows },
    { name: 'episodes', commands: episodes },
    { name: 'actions', commands: actions },
    { name: 'help', commands: help },
  ].filter(({ commands }) => commands.length > 0);
  const state = hasFailed ? 'failed' : isSearching ? 'searching' : groups.length > 0 ? 'found' : 'none';
  return { groups, state };
}

/** Without words, only the show in view gets a "New episode" action. */
function useActions(search: string): Command[] {
  const { t } = useTranslation('palette');
  const studio = useStudio();
  const may = useMay();
  const paths = usePaths();
  const inView = useProductInView();
  const { products } = studio;
  const shown = search || !inView ? products : [inView];
  const all = commandsOf({ studio: { ...studio, products: shown }, may, paths, t });
  return search ? matching(all, search) : all;
}

/** The creators' articles whose titles have the words; a failure hides them. */
function useHelp(search: string): Command[] {
  const paths = usePaths();
  const { data = [] } = useProcedure('content.help', { audience: 'creators' }, { enabled: search !== '' });
  const all = data.map(({ id, slug, title }) => ({ id: `help-${id}`, label: title, to: `${paths.help}/${slug}` }));
  return search ? matching(all, search).slice(0, HELP_LIMITS.found) : [];
}

function useFoundNames(search: string) {
  const { t } = useTranslation('palette');
  const { t: tEpisode } = useTranslation('episode');
  const { user } = useStudio();
  const paths = usePaths();
  const settled = useSettled(search);
  const isAsked = user.creator !== null && search !== '';
  const { data, isFetching, isError } = useProcedure(
    'episodes.search',
    { search: settled },
    { enabled: isAsked && settled !== '', keepsFormer: true },
  );
  return useMemo(() => {
    const found = isAsked && data ? data : { products: [], episodes: [] };
    const shows = found.products.map((show) => ({
      id: `show-${show.id}`,
      label: show.name,
      picture: show.picture,
      detail: show.isArchived ? t('archived') : undefined,
      to: paths.product(show),
    }));
    const episodes = found.episodes.map((episode) => ({
      id: `episode-${episode.id}`,
      label: episode.name,
      detail: `${episode.productName} · ${tEpisode(`status.${episode.status}`)}`,
      to: paths.episode(episode),
    }));
    const isSearching = isAsked && (isFetching || settled !== search);
    return { shows, episodes, isSearching, hasFailed: isAsked && isError };
  }, [data, isAsked, isFetching, isError, settled, search, paths, t, tEpisode]);
}

/** The words after a short pause in typing. */
function useSettled(words: string): string {
  const [settled, setSettled] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return settled;
}
