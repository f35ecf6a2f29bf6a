import type { AppLoadContext } from '@remix-run/node';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type ApiEpisode, cacheTags, toCreatorCard } from '~/app/features/site/public/page-data.server';
import { roundedLength } from '~/app/features/site/public/rounded-length';
import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import { formatDate, localeOf } from '~/server/base/formats';
import { audioPath, waveformOverviewPath } from '~/server/base/public-paths';
import type { Caller } from '~/server/trpc/caller';
import type { EmbedData, EmbedTrack } from './embed-data';
import { EmbedPage, type EmbedRow, type EmbedView, MissingEmbed, type Theme } from './embed-page.server';

export type Embedded = { type: 'episode' | 'product' } & Awaited<ReturnType<Caller['pages']['embeddedProduct']>>;

export function renderEmbed(context: AppLoadContext, theme: string | null, found: Embedded): Response {
  const view = toEmbedView(context, found);
  const { headers } = cacheTags(found.creator, [found.product]);
  return toResponse(<EmbedPage view={view} {...pageOf(context, theme)} />, { headers });
}

/** Caches must not store the response: the show may be published again. */
export function renderMissing(context: AppLoadContext, theme: string | null, message: string): Response {
  return toResponse(<MissingEmbed message={message} {...pageOf(context, theme)} />, { status: 404 });
}

function pageOf({ language, nonce, appUrl }: AppLoadContext, theme: string | null) {
  return { language, nonce, appUrl, theme: isTheme(theme) ? theme : ('auto' as const) };
}

const isTheme = (value: string | null): value is Theme => value === 'light' || value === 'dark';

function toResponse(page: ReactElement, { status = 200, headers = {} }: ResponseInit): Response {
  const html = `<!doctype html>${renderToStaticMarkup(page)}`;
  const own = { 'content-type': 'text/html; charset=utf-8', 'x-robots-tag': 'noindex' };
  return new Response(html, { status, headers: { ...headers, ...own } });
}

function toEmbedView(context: AppLoadContext, { type, creator, product, episodes, total }: Embedded): EmbedView {
  const { urls, language } = context;
  const rows = episodes.map((episode) => toRow(context, episode));
  const [only] = rows;
  const show = { name: product.name, url: urls.product(creator.domain, product.slug) };
  const isEpisode = type === 'episode' && only !== undefined;
  const cover = isEpisode ? (episodes[0] as ApiEpisode).cover : product.cover;
  return {
    type,
    rows,
    total,
    title: isEpisode ? only.name : show.name,
    url: isEpisode ? only.page : show.url,
    by: isEpisode ? show : { name: creator.name, url: urls.creator(creator.domain) },
    cover: cover.webp,
    contentLanguage: product.language,
    brand: toCreatorCard(creator).brand,
    data: {
      show: { name: show.name, host: creator.name, url: urls.creator(creator.domain) },
      tracks: rows.map(({ track }) => track).filter((track): track is EmbedTrack => track !== null),
      texts: playerTexts(language),
    },
  };
}

function toRow({ urls, language }: AppLoadContext, episode: ApiEpisode): EmbedRow {
  const { id, name, slug, durationSeconds, releaseDate, hasAccess, waveform } = episode;
  const page = urls.episode(episode.creator.domain, episode.product.slug, slug);
  const url = audioPath(id, slug);
  return {
    id,
    name,
    page,
    facts: factsOf(releaseDate, durationSeconds, language),
    track: hasAccess
      ? { id, url, name, page, seconds: durationSeconds ?? 0, peaks: waveform && waveformOverviewPath(id) }
      : null,
  };
}

function factsOf(releaseDate: Date | null, seconds: number | null, language: Language): string {
  const t = translator(language, 'public');
  const date = releaseDate && formatDate(releaseDate, localeOf(language), { dateStyle: 'medium', timeZone: 'UTC' });
  const length = seconds === null ? null : roundedLength(seconds);
  return [date, length && t(length.unit, { count: length.count })].filter(Boolean).join(' · ');
}

const STATES = ['playing', 'paused', 'loading', 'ended', 'network', 'failed', 'forbidden'];
const NOTICES = ['notice.network', 'notice.failed', 'notice.forbidden'];
const SPOKEN = ['playEpisode', 'pauseEpisode', ...STATES.map((state) => `state.${state}`), ...NOTICES];

/** The script replaces `{{name}}` with the episode's name. */
function playerTexts(language: Language): EmbedData['texts'] {
  const t = translator(language, 'player');
  return Object.fromEntries(SPOKEN.map((key) => [key, t(key, { name: '{{name}}' })]));
}
