import { TrackPlayer } from '~/app/features/listener/player/track-player';
import { inLanguage } from '~/app/features/site/public/content-language';
import { FeedLinks } from '~/app/features/site/public/feed-links';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { BoughtShow } from './offer-summary';
import type { ThanksData } from './thanks-data.server';

/** The buyer's next steps: play the first episode here, then subscribe in an app. */
export function Bought({ show }: { show: NonNullable<ThanksData['show']> }) {
  const { t } = useTranslation('thanks');
  const paths = usePaths();
  const { episode, feeds, product } = show;
  return (
    <>
      <BoughtShow {...show} />
      {episode?.track && (
        <section className="first-heard" aria-labelledby="first-heard">
          <h2 id="first-heard">{t('listen.title')}</h2>
          <p {...inLanguage(product.language)}>{episode.name}</p>
          <TrackPlayer track={episode.track}>{t('listen.now')}</TrackPlayer>
        </section>
      )}
      <h2>{t('apps.title')}</h2>
      <p>{t('apps.text')}</p>
      <FeedLinks feeds={feeds} canReplace={false} show={product.id} />
      {!show.hasPassword && (
        <section className="next-step" aria-labelledby="set-password">
          <h2 id="set-password">{t('password.title')}</h2>
          <p>{t('password.text')}</p>
          <Link className="button plain" to={paths.security}>
            {t('password.set')}
          </Link>
        </section>
      )}
      <p className="form-foot actions">
        <a href={show.pageUrl}>{t('toShow')}</a>
        <Link to={paths.myFeed}>{t('toFeed')}</Link>
      </p>
    </>
  );
}
