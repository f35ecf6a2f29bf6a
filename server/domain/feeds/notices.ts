import type { Language } from '~/locales/languages';
import { escapeHtml } from '../../base/html';
import { feedLinksPath, languagePrefix, MY_FEED_PATH, SUBSCRIPTIONS_PATH } from '../../base/public-paths';
import type { FeedEpisode } from '../../feed/model';
import type { Ctx } from '../../runtime/ctx';
import type { AccessEnd } from './link-states';

/** Spoken texts in `public/`, whose sizes an enclosure must state (docs/decisions/0214). */
export const NOTICE_FILES: Record<AccessEnd['reason'], Record<Language, { bytes: number; durationMs: number }>> = {
  ended: { en: { bytes: 28_081, durationMs: 6975 }, es: { bytes: 42_187, durationMs: 10_501 } },
  unpaid: { en: { bytes: 37_694, durationMs: 9378 }, es: { bytes: 55_980, durationMs: 13_949 } },
  shared: { en: { bytes: 34_559, durationMs: 8594 }, es: { bytes: 51_800, durationMs: 12_904 } },
};

type Reads = Pick<Ctx, 'urls' | 'translate'>;
/** `page`: the URL of the show's page, where listeners can get access; null for the feed of all shows. */
type Ended = { linkId: number; end: AccessEnd; language: Language; show: { id: number; page: string } | null };

/**
 * The only episode of a feed whose listener has no access: it explains why, and where to change that. Another reason
 * gives another episode, so that podcast apps show it.
 */
export function noticeOf({ urls, translate }: Reads, ended: Ended): FeedEpisode {
  const { linkId, end, language } = ended;
  const { reason, at } = end;
  const link = noticeLink(urls, ended);
  const file = NOTICE_FILES[reason][language];
  const t = (name: string) => translate(`content:feed_notice.${reason}_${name}`, {}, language);
  return {
    guid: `notice-${linkId}-${reason}-${at.getTime()}`,
    title: t('title'),
    description: `<p>${escapeHtml(t('text'))}</p><p><a href="${escapeHtml(link)}">${escapeHtml(t('link'))}</a></p>`,
    link,
    type: 'full',
    audio: { url: urls.app(`/notice-${reason}-${language}.mp3`), bytes: file.bytes },
    durationMs: file.durationMs,
    publishedAt: at,
    explicit: false,
  };
}

function noticeLink(urls: Reads['urls'], { end, language, show }: Ended): string {
  const app = (path: string) => urls.app(languagePrefix(language) + path);
  if (end.reason === 'unpaid') return app(SUBSCRIPTIONS_PATH);
  if (end.reason === 'shared') return app(feedLinksPath(show?.id ?? null));
  return show?.page ?? app(MY_FEED_PATH);
}
