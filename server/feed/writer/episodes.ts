import { FEED_LIMITS } from '../../limits/feeds';
import { cutHtml } from '../cut-html';
import type { FeedEpisode } from '../model';
import { toRfc2822 } from '../rfc-2822';
import { clip, plainText, richText } from '../text';
import {
  writeChapterMarks,
  writeFunding,
  writeImages,
  writeLicense,
  writeLocations,
  writePersons,
  writeSoundbites,
  writeTexts,
  writeTranscripts,
} from './podcasting';
import type { Warn } from './warnings';
import { emptyElement, htmlElement, parentElement, rawElement, textElement } from './xml';

export const AUDIO_TYPE = 'audio/mpeg';
export const CHAPTERS_TYPE = 'application/json+chapters';

export function writeEpisode(episode: FeedEpisode, warn: Warn): string {
  const { audio, cover } = episode;
  return (
    `<item>\n${textElement('title', episode.title)}` +
    textElement('guid', episode.guid, { isPermaLink: 'false' }) +
    (episode.link ? textElement('link', episode.link) : '') +
    rawElement('pubDate', toRfc2822(episode.publishedAt)) +
    descriptionTags(episode, warn) +
    emptyElement('enclosure', { url: audio.url, length: audio.bytes, type: audio.type ?? AUDIO_TYPE }) +
    (episode.author ? textElement('itunes:author', episode.author) : '') +
    durationTag(episode) +
    rawElement('itunes:episodeType', episode.type) +
    rawElement('itunes:explicit', episode.explicit) +
    (episode.hidden ? textElement('itunes:block', 'Yes') : '') +
    (cover
      ? emptyElement('itunes:image', { href: cover }) +
        emptyElement('podcast:image', { href: cover, 'aspect-ratio': '1/1', purpose: 'artwork' })
      : '') +
    numberTags(episode) +
    optionalTags(episode) +
    '</item>\n'
  );
}

/** Apps would show a duration of 0 as if it were known. */
function durationTag({ durationMs }: FeedEpisode): string {
  const seconds = Math.round((durationMs ?? 0) / 1000);
  return seconds > 0 ? rawElement('itunes:duration', seconds) : '';
}

/** Directories accept a short description (Apple: 10,000 bytes); content:encoded carries the full notes. */
function descriptionTags(episode: FeedEpisode, warn: Warn): string {
  const text = richText(episode.description);
  if (!text) return '';
  const short = cutHtml(text, FEED_LIMITS.episodeBytes);
  const notes = cutHtml(text, FEED_LIMITS.notesBytes);
  if (short !== text) {
    const kind = notes === text ? 'description_cut' : 'notes_cut';
    warn({ kind, guid: episode.guid, bytes: Buffer.byteLength(text) });
  }
  return htmlElement('description', short) + htmlElement('content:encoded', notes);
}

/** Apple accepts whole numbers above zero only; Podcasting 2.0 adds names. */
function numberTags({ season, seasonName, number, numberLabel }: FeedEpisode): string {
  let text = '';
  if (season) text += rawElement('itunes:season', season);
  if (season) text += textElement('podcast:season', String(season), { name: seasonName });
  if (number) text += rawElement('itunes:episode', number);
  if (number) text += textElement('podcast:episode', String(number), { display: numberLabel });
  return text;
}

function optionalTags(episode: FeedEpisode): string {
  const { chapters, entitlements } = episode;
  return (
    writeImages(episode.images) +
    writeTranscripts(episode.transcripts) +
    (chapters ? emptyElement('podcast:chapters', { url: chapters.url, type: chapters.type ?? CHAPTERS_TYPE }) : '') +
    writeSoundbites(episode.soundbites) +
    writePersons(episode.persons) +
    writeFunding(episode.funding) +
    writeLocations(episode.locations) +
    writeLicense(episode.license) +
    writeTexts(episode.texts) +
    writeChapterMarks(episode.marks) +
    (entitlements?.length
      ? parentElement('spotify:access', entitlements.map((name) => emptyElement('entitlement', { name })).join(''))
      : '')
  );
}

/** Writes a trailer episode as the trailer of its show; it is an item of its own as well. */
export function writeTrailer(episode: FeedEpisode): string {
  return textElement('podcast:trailer', clip(plainText(episode.title), FEED_LIMITS.length.name), {
    pubdate: toRfc2822(episode.publishedAt),
    url: episode.audio.url,
    length: episode.audio.bytes,
    type: episode.audio.type ?? AUDIO_TYPE,
    season: episode.season ?? undefined,
  });
}
