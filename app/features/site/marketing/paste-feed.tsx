import { Link, useLocation } from '~/app/lib/router';
import { prefixOf } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { FEED_PREVIEW_PATH } from '~/server/base/public-paths';
import { FeedField } from './feed-field';

/**
 * Asks for the address of a feed, and shows its show on a page here. Works without a script. `hosts`: the page about moves,
 * for a link.
 */
export function PasteFeed({ hosts }: { hosts?: string }) {
  const { t } = useTranslation('marketing');
  // the file of all paths is not for listeners
  const prefix = prefixOf(useLocation().pathname);
  return (
    <section className="paste-feed" aria-labelledby="paste-feed">
      <div>
        <h2 id="paste-feed">{t('paste.title')}</h2>
        <p>{t('paste.text')}</p>
      </div>
      <div>
        <form method="post" action={prefix + FEED_PREVIEW_PATH}>
          <FeedField />
          <button className="button plain" type="submit">
            {t('paste.submit')}
          </button>
        </form>
        <p className="muted small">
          {t('paste.promise')} {hosts && <Link to={hosts}>{t('paste.hosts')}</Link>}
        </p>
      </div>
    </section>
  );
}
