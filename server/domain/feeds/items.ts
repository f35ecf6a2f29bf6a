import { FEED_LIMITS } from '../../limits/feeds';
import type { Warn } from './document';
import { clip, cutHtml, element, empty, html, nest, plainText, rfc2822, richText, value } from './markup';
import type { FeedEpisode } from './model';
import { funding, images, licence, locations, marks, persons, soundbites, texts, transcripts } from './podcasting';

export const AUDIO_TYPE = 'audio/mpeg';
export const CHAPTERS_TYPE = 'application/json+chapters';

export function writeEpisode(episode: FeedEpisode, warn: Warn): string {
  const { audio, cover } = episode;
  return (
    `<item>\n${element('title', episode.title)}` +
    element('guid', episode.guid, { isPermaLink: 'false' }) +
    (episode.link ? element('link', episode.link) : '') +
    value('pubDate', rfc2822(episode.publishedAt)) +
    described(episode, warn) +
    empty('enclosure', { url: audio.url, length: audio.bytes, type: audio.type ?? AUDIO_TYPE }) +
    (episode.author ? element('itunes:author', episode.author) : '') +
    (episode.durationMs === null ? '' : value('itunes:duration', Math.round(episode.durationMs / 1000))) +
    value('itunes:episodeType', episode.type) +
    value('itunes:explicit', episode.explicit) +
    (episode.hidden ? element('itunes:block', 'Yes') : '') +
    (cover
      ? empty('itunes:image', { href: cover }) +
        empty('podcast:image', { href: cover, 'aspect-ratio': '1/1', purpose: 'artwork' })
      : '') +
    numbered(episode) +
    furthered(episode) +
    '</item>\n'
  );
}

/** Directories take a short description (Apple: 10,000 bytes); the whole stands in content:encoded. */
function described(episode: FeedEpisode, warn: Warn): string {
  const text = richText(episode.description);
  if (!text) return '';
  const short = cutHtml(text, FEED_LIMITS.episodeBytes);
  const notes = cutHtml(text, FEED_LIMITS.notesBytes);
  if (short !== text) {
    const kind = notes === text ? 'description_cut' : 'notes_cut';
    warn({ kind, guid: episode.guid, bytes: Buffer.byteLength(text) });
  }
  return html('description', short) + html('content:encoded', notes);
}

/** Apple counts in whole numbers above zero; Podcasting 2.0 also names them. */
function numbered({ season, seasonName, number, numberLabel }: FeedEpisode): string {
  let text = '';
  if (season) text += value('itunes:season', season);
  if (season) text += element('podcast:season', String(season), { name: seasonName });
  if (number) text += value('itunes:episode', number);
  if (number) text += element('podcast:episode', String(number), { display: numberLabel });
  return text;
}

/** Most episodes have none of these, so each looks before it writes. */
function furthered(episode: FeedEpisode): string {
  const { chapters, entitlements } = episode;
  return (
    images(episode.images) +
    transcripts(episode.transcripts) +
    (chapters ? empty('podcast:chapters', { url: chapters.url, type: chapters.type ?? CHAPTERS_TYPE }) : '') +
    soundbites(episode.soundbites) +
    persons(episode.persons) +
    funding(episode.funding) +
    locations(episode.locations) +
    licence(episode.license) +
    texts(episode.texts) +
    marks(episode.marks) +
    (entitlements?.length
      ? nest('spotify:access', entitlements.map((name) => empty('entitlement', { name })).join(''))
      : '')
  );
}

/** An episode that is a trailer, as the show names it once more. */
export function writeTrailer(episode: FeedEpisode): string {
  return element('podcast:trailer', clip(plainText(episode.title), FEED_LIMITS.length.name), {
    pubdate: rfc2822(episode.publishedAt),
    url: episode.audio.url,
    length: episode.audio.bytes,
    type: episode.audio.type ?? AUDIO_TYPE,
    season: episode.season ?? undefined,
  });
}
