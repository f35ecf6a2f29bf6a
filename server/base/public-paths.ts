import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '~/locales/languages';

/** Paths of public pages, feeds and audio. Pure: the app builds links from them, and the server recognises them. */

export const CONTACT_PATH = '/contact';
/** The page for reports of illegal content and violations of the terms. */
export const REPORT_PATH = '/report';
export const reportPath = (page: string) => `${REPORT_PATH}?page=${encodeURIComponent(page)}`;
export const LOGIN_PATH = '/login';
/** The creator page while it is edited, in a frame of its form. */
export const CREATOR_PREVIEW_PATH = '/creator-page/preview';
/** The target of the link that verifies the address of a feed's owner. */
export const FEED_OWNER_PATH = '/confirm-feed-owner';
/** The target of the link that verifies the address to which answers to a newsletter go. */
export const NEWSLETTER_SENDER_PATH = '/confirm-newsletter-sender';
/** Where a visitor pastes the address of a feed, and the show that it would become. */
export const FEED_PREVIEW_PATH = '/feed-preview';
export const feedPreviewPath = (token: string) => `${FEED_PREVIEW_PATH}/${token}`;
/** Counts the visit of a recommended show, and leads to its page. */
export const recommendedPath = (token: string) => `/recommended/${token}`;
/** A subscriber's subscriptions, cards and receipts. */
export const SUBSCRIPTIONS_PATH = '/account/billing';
/** The page that sells a show; the payment page leads back to it. */
export const REGISTER_PAYMENT_PATH = '/register/payment';
export const THANKS_PATH = '/thanks';
/** Names the show of a redeemed gift in the query of `THANKS_PATH`. */
export const REDEEMED = 'redeemed';
/** The page that sells a gift; the gift's link leads there. */
export const BUY_GIFT_PATH = '/register/gift';
export const GIFT_PATH = '/gift';
/** The link of an email about a failed renewal. */
export const PAY_OVERDUE_PATH = '/card';
/** The address to which the payment provider sends its events. */
export const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';
/** The addresses to which mail providers send their reports, and a mail server the messages that arrive. */
export const MAIL_WEBHOOKS_PATH = '/webhooks/mail';
/** The target of the link that confirms an address for a newsletter. */
export const JOIN_NEWSLETTER_PATH = '/join-newsletter';
/** The form of a creator's newsletter, below their page. */
export const NEWSLETTER_FORM_PATH = '/newsletter-form';
/** The archive of a creator's newsletter, and one edition of it (spec §2.1). */
export const ARCHIVE_PATH = '/n';
export const editionPath = (slug: string) => `${ARCHIVE_PATH}/${slug}`;
export const archiveFeedPath = `${ARCHIVE_PATH}/feed.xml`;
/** The picture that counts opens of an edition, for all recipients the same. */
export const openedPath = (editionId: number) => `/opened/${editionId}.gif`;
/** Counts a click, and leads to a link of an edition. */
export const clickedPath = (editionId: number, position: number) => `/clicked/${editionId}/${position}`;
/** The target of the link in an invitation to a team. */
export const INVITATION_PATH = '/invitation';
/** The screen of a creator's imports. */
export const IMPORT_PATH = '/products/import';
/** The target of the link that asks a feed's owner whether a creator may import it. */
export const CONFIRM_IMPORT_PATH = `${IMPORT_PATH}/confirm`;
/** The target of the link that undoes the redirect of a feed. */
export const UNDO_REDIRECT_PATH = '/undo-redirect';
export const UNDO_DELETION_PATH = '/undo-deletion';
export const exportPath = (id: string) => `/exports/${id}.zip`;
/** A zip of everything that belongs to a creator; for the owner, with a session. */
export const creatorBackupPath = (id: string) => `/archives/${id}.zip`;
/** The episodes that the browser keeps; each host has this page. The service worker opens it without a connection. */
export const SAVED_PATH = '/saved';
export const UNSUBSCRIBE_PATH = '/unsubscribe';
/** The target of the link that follows a show without logging in. */
export const FOLLOW_PATH = '/follow';
/** The feed of one show for Spotify, with a secret in its address. */
export const spotifyFeedPath = (token: string) => `/feed/spotify/${token}`;
/** The shows that a listener follows and has bought, and their private feeds. */
export const MY_FEED_PATH = '/feed';
export const ALL_SHOWS = 'all';
/** Without a product, the links of the feed with all shows. */
export const feedLinksPath = (productId: number | null) => `${MY_FEED_PATH}/${productId ?? ALL_SHOWS}`;
/** Each provider has a redirect URI of its own, so that no other provider can answer there. */
export const identityCallbackPath = (provider: 'google' | 'facebook') => `${LOGIN_PATH}/${provider}/callback`;
/** The documentation of the API, with its guides below it. Problems of the API name a part of it. */
export const API_DOCS_PATH = '/developers';
/** The prefix of a page's path in a language other than the default. */
export const languagePrefix = (language: Language) => (language === DEFAULT_LANGUAGE ? '' : `/${language}`);

export const productPath = (slug: string) => `/p/${slug}`;
export const episodePath = (slug: string, episode: string) => `/p/${slug}/${episode}`;
/** A soundbite's own page. */
export const soundbitePagePath = (slug: string, episode: string, id: number) =>
  `${episodePath(slug, episode)}/soundbites/${id}`;
export const feedPath = (slug: string) => `/p/${slug}/feed.xml`;
/** The fragment of an episode's page at which the player starts (app/features/listener/player/hand-over.ts). */
export const momentFragment = (episodeId: number, seconds: number) => `#listen=${episodeId}&at=${seconds}&playing=1`;
/** Only the id selects the audio, so the path survives a renamed episode. */
export const audioPath = (episodeId: number, slug: string) => `/audio/${episodeId}/${slug}.mp3`;
export const chaptersPath = (episodeId: number) => `/audio/${episodeId}/chapters.json`;
/** Where the parts of an episode are in what a listener hears, for our own player. */
export const timelinePath = (episodeId: number) => `/audio/${episodeId}/timeline.json`;
/** Ends in a part of the file's hash, which is the last part of its key. */
export const promoPath = (episodeId: number, key: string) => `/audio/${episodeId}/promo/${promoHashOf(key)}.mp3`;
/** The file of a soundbite; like a promo's, it ends in a part of its hash. */
export const soundbitePath = (episodeId: number, key: string) =>
  `/audio/${episodeId}/soundbites/${promoHashOf(key)}.mp3`;
export const promoHashOf = (key: string) => key.slice(key.lastIndexOf('/') + 1).slice(0, 16);
export const waveformPath = (episodeId: number) => `/audio/${episodeId}/peaks.json`;
/** Only the coarsest zoom: a long recording's waveform has half a megabyte. */
export const waveformOverviewPath = (episodeId: number) => `/audio/${episodeId}/overview.json`;

/** A player for frames of other sites. Ids survive a new domain or slug. */
export const embedPath = (type: 'episode' | 'product', id: number) => `/embed/${type === 'product' ? 'p/' : ''}${id}`;
const EMBED_PATH = /* @__PURE__ */ new RegExp(`^(?:/(?:${LANGUAGES.join('|')}))?/embed/(?:p/)?\\d{1,15}$`);
export const isEmbedPath = (path: string): boolean => EMBED_PATH.test(path);

/** The episode or show that an embedded player plays; null for other paths. */
export function embedOfPath(path: string): { type: 'episode' | 'product'; id: number } | null {
  const id = isEmbedPath(path) ? Number(path.slice(path.lastIndexOf('/') + 1)) : null;
  return id === null ? null : { type: path.includes('/embed/p/') ? 'product' : 'episode', id };
}

/** A show's plays as a picture or as JSON, for other sites. */
export const PLAY_COUNTER_PATH = '/plays';
export const playCounterPath = (id: number, format: 'svg' | 'json') => `${PLAY_COUNTER_PATH}/${id}.${format}`;

/** The figures of a show, for sponsors with a link. */
export const sponsorPath = (token: string) => `/figures/${token}`;
/** A campaign’s report for its sponsor. */
export const campaignReportPath = (token: string) => `/figures/campaign/${token}`;

export const OEMBED_PATH = '/oembed';
export const oembedPath = (pageUrl: string, format: 'json' | 'xml') =>
  `${OEMBED_PATH}?url=${encodeURIComponent(pageUrl)}&format=${format}`;

/** An unpublished episode, for everyone who has the link. */
export const previewPath = (token: string) => `/preview/${token}`;
/** The token of a preview's audio; null for other URLs. */
export const previewTokenOf = (url: string): string | null => /\?preview=([\w-]{1,150})$/.exec(url)?.[1] ?? null;
/** One listener's feed of one show, for one podcast app. */
export const privateFeedPath = (token: string) => `/feed/private/${token}`;
/** The address to which a former host redirects its private feeds: `/old-feeds/{host}{path}{query}`. */
export function oldFeedPath(address: string): string {
  const { host, pathname, search } = new URL(address);
  return `${OLD_FEEDS_PATH}${host}${pathname}${search}`;
}
export const OLD_FEEDS_PATH = '/old-feeds/';
/** Makes a URL of audio, chapters or a transcript work for the listener of a private feed. */
export const withFeedAccess = (url: string, access: string) => `${url}?feed=${access}`;
/** The access of Spotify that `withFeedAccess` has added: it begins with a letter, that of a listener with a digit. */
export const spotifyAccessOf = (url: string): string | null => /\?feed=(s[\w-]{1,100})$/.exec(url)?.[1] ?? null;
const SPOTIFY_FEED_URL = /^\/feed\/spotify\/([\w-]{1,100})(?:\?|$)/;
/** The token of the URL of a feed for Spotify; null for other paths. */
export const tokenOfSpotifyFeed = (url: string): string | null => SPOTIFY_FEED_URL.exec(url)?.[1] ?? null;
/** The token that `withFeedAccess` has added; null for other URLs. */
export const feedAccessOf = (url: string): string | null => /\?feed=([\w-]{1,100})$/.exec(url)?.[1] ?? null;
/** A transcript in one format; like audio, only the id selects it. */
export const transcriptPath = (episodeId: number, slug: string, format: string) =>
  `/transcripts/${episodeId}/${slug}.${format}`;

/** The page of a show, an episode or a soundbite, also in Remix's single-fetch form. */
const PAGE_PATH = /^\/p\/([^/]+?)(?:\/[^/]+(?:\/soundbites\/[^/]+)?|\.data)?$/;
const FEED_PATH = /^\/p\/([^/]+)\/feed\.xml$/;
const PRIVATE_FEED_URL = /^\/feed\/private\/([\w-]{1,100})(?:\?|$)/;
const TRANSCRIPT_URL = /^\/transcripts\/(\d{1,15})\/[^/?]+\.(vtt|srt|json|html|txt)(?:\?|$)/;
/** At most 15 digits: such numbers are exact in JavaScript. */
const AUDIO_URL = /^\/audio\/(\d{1,15})\/(?:([0-9a-f]{32})\/)?[^/?]+\.mp3(?:\?|$)/;

const SOUND_FILE_URL =
  /^\/audio\/(\d{1,15})\/(?:(chapters|timeline|peaks|overview)\.json|(promo|soundbites)\/([0-9a-f]{16})\.mp3)(?:\?|$)/;

/** A file that belongs to an episode's audio: the episode's id and the kind of file; null for other paths. */
export type SoundFileUrl = {
  episodeId: number;
  file: 'chapters' | 'timeline' | 'peaks' | 'overview' | 'promo' | 'soundbites';
  hash: string;
};

export function soundFileOfUrl(url: string): SoundFileUrl | null {
  const [, id, json, audio, hash = ''] = SOUND_FILE_URL.exec(url) ?? [];
  return id === undefined ? null : { episodeId: Number(id), file: (json ?? audio) as SoundFileUrl['file'], hash };
}

/** The product slug of a feed path below the creator's base; null for other paths. */
export function slugOfFeedPath(path: string): string | null {
  if (!path.endsWith('/feed.xml')) return null;
  const slug = FEED_PATH.exec(path)?.[1];
  return slug ? decodeSlug(slug) : null;
}

/** The page of a public feed's URL; other parameters are ignored. */
export const pageOfFeed = (url: string): number => Number(/\?page=([1-9]\d{0,3})$/.exec(url)?.[1] ?? 1);
/** Whether a public feed's URL asks for the feed itself, although it has moved to another host. */
export const staysAtFeed = (url: string): boolean => url.endsWith(`?${STAY}`);
export const stayingFeed = (url: string): string => `${url}?${STAY}`;
const STAY = 'redirect=no';
/**
 * Whether a former host has redirected to this address: its feed marks the files, so that downloads through it are
 * counted.
 */
export const isFromOldFeed = (url: string): boolean => url.endsWith(`?${FROM_OLD}`);
export const markOldFeed = (url: string): string => `${url}?${FROM_OLD}`;
const FROM_OLD = 'from=old';
/** The token of a private feed's URL; null for other paths. */
export const tokenOfPrivateFeed = (url: string): string | null => PRIVATE_FEED_URL.exec(url)?.[1] ?? null;

/** The slugs of the page of a show, or of an episode or its soundbite, below the creator's base; null for other paths. */
export function pageOfPath(path: string): { slug: string; episodeSlug?: string } | null {
  const [, slug = '', , episodeSlug] = /^\/p\/([^/]+)(\/([^/]+)(?:\/soundbites\/[^/]+)?)?\/?$/.exec(path) ?? [];
  const [decoded, decodedEpisode] = [slug, episodeSlug].map((each) =>
    each === undefined ? undefined : decodeSlug(each),
  );
  if (!decoded || decodedEpisode === null) return null;
  return decodedEpisode === undefined ? { slug: decoded } : { slug: decoded, episodeSlug: decodedEpisode };
}

/** The product slug of a page's path below the creator's base; null for other paths. */
export function slugOfPagePath(path: string): string | null {
  const slug = PAGE_PATH.exec(path)?.[1];
  return slug ? decodeSlug(slug) : null;
}

/** The episode of an audio URL's path and query, and the rendition that it names, if any; null for other paths. */
export function audioOfUrl(url: string): { episodeId: number; renditionId: string | null } | null {
  const [, id, renditionId = null] = AUDIO_URL.exec(url) ?? [];
  return id === undefined ? null : { episodeId: Number(id), renditionId };
}

/** An audio URL with another rendition in its path, or with none: its name and its query stay. */
export const withRendition = (url: string, renditionId: string | null): string =>
  url.replace(/^(\/audio\/\d+\/)(?:[0-9a-f]{32}\/)?/, renditionId === null ? '$1' : `$1${renditionId}/`);

/** The episode and the format of a transcript's URL; null for other paths. */
export function transcriptOfUrl(url: string): { episodeId: number; format: string } | null {
  const [, id, format = ''] = TRANSCRIPT_URL.exec(url) ?? [];
  return id === undefined ? null : { episodeId: Number(id), format };
}

function decodeSlug(slug: string): string | null {
  try {
    const decoded = decodeURIComponent(slug);
    // Postgres can't compare with a NUL
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}

/** The slug of a heading or a tag in addresses: `Estadísticas` → `estadisticas`. Empty for texts without letters of ours. */
export const slugOfText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '');
