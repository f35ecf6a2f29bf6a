import { useState } from 'react';
import { FeedIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';

/** Apps with a URL scheme that adds a show. */
const APPS: { name: string; address: (feed: URL) => string }[] = [
  { name: 'Apple Podcasts', address: (feed) => `podcast://${feed.host}${feed.pathname}` },
  { name: 'Overcast', address: (feed) => `overcast://x-callback-url/add?url=${encodeURIComponent(feed.href)}` },
  { name: 'Pocket Casts', address: (feed) => `pktc://subscribe/${feed.host}${feed.pathname}` },
  { name: 'AntennaPod', address: (feed) => `antennapod-subscribe://${feed.host}${feed.pathname}` },
];

/** Offers the feed to podcast apps, to open or to copy. Only copying needs JavaScript. */
export function ListenInApp({ feedUrl }: { feedUrl: string }) {
  const { t } = useTranslation('public');
  const [copied, setCopied] = useState(false);
  const feed = new URL(feedUrl);

  async function copy() {
    await navigator.clipboard.writeText(feedUrl);
    setCopied(true);
    setTimeout(() => setCopied(false), 4000);
  }

  return (
    <details className="in-app">
      <summary className="button plain">
        <FeedIcon />
        {t('listenInApp.title')}
      </summary>
      <div className="panel">
        <p className="small">{t('listenInApp.help')}</p>
        <div className="copy-row">
          <input
            className="input"
            type="url"
            readOnly
            value={feedUrl}
            aria-label={t('listenInApp.feed')}
            onFocus={(event) => event.currentTarget.select()}
          />
          <button type="button" className="button needs-js" onClick={copy}>
            <span aria-live="polite">{t(copied ? 'listenInApp.copied' : 'listenInApp.copy')}</span>
          </button>
        </div>
        <p className="app-links">
          {APPS.map(({ name, address }) => (
            <a key={name} href={address(feed)}>
              {name}
            </a>
          ))}
        </p>
      </div>
    </details>
  );
}
