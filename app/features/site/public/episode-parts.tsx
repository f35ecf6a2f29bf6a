import { LockIcon } from '~/app/components/icons';
import { formatClock } from '~/app/lib/clock';
import { Link } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { momentFragment } from '~/server/base/public-paths';
import type { PageChapter } from '~/server/domain/episodes/chapters';
import type { Around } from './around.server';
import { inLanguage } from './content-language';
import { EpisodeList } from './episode-list';

type ChaptersProps = { episodeId: number; chapters: PageChapter[]; language: string };

/** Chapters as links to their times. The player handles a click on them. */
export function Chapters({ episodeId, chapters, language }: ChaptersProps) {
  const { t } = useTranslation('listening');
  if (chapters.length === 0) return null;
  return (
    <section aria-labelledby="chapters">
      <h2 id="chapters">{t('chapters')}</h2>
      <ol className="chapters" {...inLanguage(language)}>
        {chapters.map(({ seconds, title, url, image }) => (
          <li key={seconds}>
            <a href={momentFragment(episodeId, seconds)} data-at={seconds}>
              {image && <img src={image.webp[96]} alt="" width={48} height={48} loading="lazy" decoding="async" />}
              <span className="time">{formatClock(seconds)}</span>
              <bdi>{title}</bdi>
            </a>
            {url && (
              <a className="chapter-link" href={url} rel="nofollow noopener" aria-label={t('chapterLink', { title })}>
                ↗
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

type NoticeProps = {
  product: { slug: string; name: string };
  /** `opens`: a sentence that states when the episode will be available. */
  episode: { opens: string | null; availableAt?: string; isPart?: true };
};

/** Replaces the player. Listeners who wait for an episode's release already have access to the show. */
export function PrivateNotice({ product: { slug, name }, episode }: NoticeProps) {
  const { t } = useTranslation('listening');
  const paths = usePublicPaths();
  const { opens, availableAt, isPart } = episode;
  return (
    <div className="private-notice">
      <span className="locked">
        <LockIcon />
      </span>
      <p>
        {opens ?? t(isPart ? 'private.purchase' : 'private.subscription')}{' '}
        {!availableAt && <Link to={paths.product(slug)}>{t('private.show', { name })}</Link>}
      </p>
    </div>
  );
}

type AroundProps = { around: Around; product: { slug: string; name: string }; language: string };

/** The previous and the next episode, and the way to all of them. */
export function OtherEpisodes({ around, product: { slug, name }, language }: AroundProps) {
  const { t } = useTranslation('listening');
  const { t: tPublic } = useTranslation('public');
  const paths = usePublicPaths();
  if (!around.list) return null;
  const toEpisode = (key: 'previous' | 'next') => {
    const episode = around[key];
    return (
      episode && (
        <Link className="quiet-link" to={paths.episode(slug, episode.slug)} prefetch="intent" rel={RELATION[key]}>
          {key === 'previous' && '← '}
          <span {...inLanguage(language)}>{t(key, { name: episode.name })}</span>
          {key === 'next' && ' →'}
        </Link>
      )
    );
  };
  return (
    <section className="section around" aria-labelledby="around">
      <nav aria-label={t('neighbours')}>
        {toEpisode('previous')}
        {toEpisode('next')}
      </nav>
      <h2 id="around">{t('around')}</h2>
      <EpisodeList episodes={around.list} />
      <p>
        <Link className="quiet-link" to={paths.product(slug)} prefetch="intent">
          {tPublic('episode.back', { name })}
        </Link>
      </p>
    </section>
  );
}

const RELATION = { previous: 'prev', next: 'next' } as const;
