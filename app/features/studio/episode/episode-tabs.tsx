import { Tabs } from '~/app/components/tabs';
import { usePaths } from '~/app/lib/paths';
import { Link, useLocation } from '~/app/lib/router';
import { useIsEditor, useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';

type Episode = {
  id: number;
  productId: number;
  kind: KindName;
  url: string | null;
  promo: object | null;
  hasTranscript: boolean;
};

/** The parts of an episode that the member's role may open, and that its audio allows. */
export function EpisodeTabs({ episode }: { episode: Episode }) {
  const { t } = useTranslation('episode');
  const isEditor = useIsEditor();
  const may = useMay();
  const paths = usePaths();
  const { pathname } = useLocation();
  // the path may also begin with `account/`
  const opened = /\/episodes\/\d+\/([^/]+)/.exec(pathname)?.[1] ?? 'overview';
  const current = opened === 'transcription' || opened === 'suggestions' ? 'transcript' : opened;
  const hasAudio = episode.url !== null;
  const tabs = [
    { part: 'overview', to: paths.episode(episode), isShown: true },
    { part: 'metric', to: paths.episodeStatistics(episode), isShown: may('creator.readStatistics') },
    { part: 'chapters', to: paths.chapters(episode), isShown: isEditor && hasAudio },
    { part: 'transcript', to: paths.transcript(episode), isShown: isEditor || episode.hasTranscript },
    { part: 'soundbites', to: paths.soundbites(episode), isShown: isEditor && hasAudio },
    { part: 'audio-insertion', to: paths.places(episode), isShown: isEditor && hasAudio },
    { part: 'promo', to: paths.promo(episode), isShown: isEditor && (hasAudio || episode.promo !== null) },
  ];
  return (
    <Tabs label={t('tabs.label')}>
      {tabs
        .filter(({ isShown, part }) => isShown || part === current)
        .map(({ part, to }) => (
          <Link key={part} to={to} prefetch="intent" aria-current={part === current ? 'page' : undefined}>
            {t(`tabs.${part}`)}
          </Link>
        ))}
    </Tabs>
  );
}
