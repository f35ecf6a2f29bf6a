import { childrenNamed, firstChild } from '../markup/elements';
import type { Element } from '../markup/tree';
import type {
  FeedBlock,
  FeedFrequency,
  FeedFunding,
  FeedImage,
  FeedLicense,
  FeedLocation,
  FeedMark,
  FeedPerson,
  FeedReference,
  FeedSoundbite,
  FeedText,
  FeedTranscript,
} from '../model';
import { readDuration } from './durations';
import { attributeText, boundedList, type Reader, readText, readUrl } from './texts';

export function readPersons(reader: Reader, parent: Element, item: number): FeedPerson[] | undefined {
  const list = childrenNamed(parent, 'podcast:person').map((tag): FeedPerson | null => {
    const name = readText(tag);
    if (!name) return null;
    const image = readUrl(reader, attributeText(tag, 'img'), item) || undefined;
    const link = readUrl(reader, attributeText(tag, 'href'), item) || undefined;
    return { name, role: attributeText(tag, 'role'), group: attributeText(tag, 'group'), image, link };
  });
  return boundedList(reader, list, item);
}

export function readFunding(reader: Reader, parent: Element, item: number): FeedFunding[] | undefined {
  const list = childrenNamed(parent, 'podcast:funding').map((tag) => {
    const url = readUrl(reader, attributeText(tag, 'url'), item);
    return url ? { url, text: readText(tag) } : null;
  });
  return boundedList(reader, list, item);
}

export function readLocations(reader: Reader, parent: Element, item: number): FeedLocation[] | undefined {
  const list = childrenNamed(parent, 'podcast:location').map((tag): FeedLocation | null => {
    const name = readText(tag);
    const [rel, geo, osm, country] = ['rel', 'geo', 'osm', 'country'].map((key) => attributeText(tag, key));
    return name ? { name, rel, geo, osm, country } : null;
  });
  return boundedList(reader, list, item);
}

export function readTexts(reader: Reader, parent: Element, item: number): FeedText[] | undefined {
  const list = childrenNamed(parent, 'podcast:txt').map((tag) => {
    const text = readText(tag);
    return text ? { purpose: attributeText(tag, 'purpose'), text } : null;
  });
  return boundedList(reader, list, item);
}

export function readLicense(reader: Reader, parent: Element, item: number): FeedLicense | undefined {
  const found = firstChild(parent, 'podcast:license');
  const name = readText(found);
  if (!name) return undefined;
  return { name, url: readUrl(reader, attributeText(found, 'url'), item) || undefined };
}

/** Images other than the cover, which apps read from itunes:image. */
export function readImages(
  reader: Reader,
  parent: Element,
  { cover, item }: { cover: string; item: number },
): FeedImage[] | undefined {
  const list = childrenNamed(parent, 'podcast:image').map((tag): FeedImage | null => {
    const url = readUrl(reader, attributeText(tag, 'href'), item);
    if (!url || url === cover) return null;
    const [alt, aspectRatio, type, purpose] = ['alt', 'aspect-ratio', 'type', 'purpose'].map((key) =>
      attributeText(tag, key),
    );
    return {
      url,
      alt,
      aspectRatio,
      width: wholeNumber(tag, 'width'),
      height: wholeNumber(tag, 'height'),
      type,
      purpose,
    };
  });
  return boundedList(reader, list, item);
}

export function wholeNumber(element: Element | undefined, name: string): number | undefined {
  const text = attributeText(element, name);
  return text && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

export function readTranscripts(reader: Reader, parent: Element, item: number): FeedTranscript[] | undefined {
  const list = childrenNamed(parent, 'podcast:transcript').map((tag): FeedTranscript | null => {
    const url = readUrl(reader, attributeText(tag, 'url'), item);
    const type = attributeText(tag, 'type') ?? 'text/plain';
    return url ? { url, type, language: attributeText(tag, 'language'), rel: attributeText(tag, 'rel') } : null;
  });
  return boundedList(reader, list, item);
}

export function readSoundbites(reader: Reader, parent: Element, item: number): FeedSoundbite[] | undefined {
  const list = childrenNamed(parent, 'podcast:soundbite').map((tag): FeedSoundbite | null => {
    const start = readDuration(attributeText(tag, 'starttime') ?? '');
    const duration = readDuration(attributeText(tag, 'duration') ?? '');
    if (!start || !duration) return null;
    return { startMs: start.ms, durationMs: duration.ms, title: readText(tag) || undefined };
  });
  return boundedList(reader, list, item);
}

export function readChapters(
  reader: Reader,
  parent: Element,
  item: number,
): { url: string; type?: string } | undefined {
  const found = firstChild(parent, 'podcast:chapters');
  const url = readUrl(reader, attributeText(found, 'url'), item);
  return url ? { url, type: attributeText(found, 'type') } : undefined;
}

/** Podlove Simple Chapters: normal play time, `HH:MM:SS.mmm` or plain seconds. */
export function readMarks(reader: Reader, parent: Element, item: number): FeedMark[] | undefined {
  const list = childrenNamed(firstChild(parent, 'psc:chapters'), 'psc:chapter').map((tag): FeedMark | null => {
    const start = readDuration(attributeText(tag, 'start') ?? '');
    const title = attributeText(tag, 'title');
    if (!start || !title) return null;
    const link = readUrl(reader, attributeText(tag, 'href'), item) || undefined;
    return { startMs: start.ms, title, link, image: readUrl(reader, attributeText(tag, 'image'), item) || undefined };
  });
  return boundedList(reader, list, item);
}

export function readBlocks(reader: Reader, parent: Element): FeedBlock[] | undefined {
  const list = childrenNamed(parent, 'podcast:block').map((tag) => {
    const service = attributeText(tag, 'id');
    return service ? { service, blocked: isYes(tag) } : null;
  });
  return boundedList(reader, list, 0);
}

export function isYes(element: Element | undefined): boolean {
  return /^(?:yes|true|1)$/i.test(readText(element));
}

export function readPodroll(reader: Reader, channel: Element): FeedReference[] | undefined {
  const list = childrenNamed(firstChild(channel, 'podcast:podroll'), 'podcast:remoteitem').map(
    (tag): FeedReference | null => {
      const [feedGuid, itemGuid, medium, title] = ['feedguid', 'itemguid', 'medium', 'title'].map((key) =>
        attributeText(tag, key),
      );
      const feedUrl = readUrl(reader, attributeText(tag, 'feedurl'), 0) || undefined;
      return feedGuid ? { feedGuid, feedUrl, itemGuid, medium, title } : null;
    },
  );
  return boundedList(reader, list, 0);
}

export function readFrequency(channel: Element): FeedFrequency | undefined {
  const found = firstChild(channel, 'podcast:updatefrequency');
  const [text, startsAt, rule] = [readText(found), attributeText(found, 'dtstart'), attributeText(found, 'rrule')];
  if (!text && !rule) return undefined;
  return { text, complete: attributeText(found, 'complete') === 'true' ? true : undefined, startsAt, rule };
}

const SUPPORTED =
  /^podcast:(?:person|funding|location|txt|license|image|images|transcript|soundbite|chapters|block|podroll|updatefrequency|guid|locked|medium|season|episode|trailer|alternateenclosure|liveitem)$/;

/** Reports tags of Podcasting 2.0 that the model does not support, such as chat, comments and payments. */
export function reportUnreadTags({ log }: Reader, parent: Element, item: number): void {
  for (const { name } of parent.children) {
    if (!name.startsWith('podcast:') || SUPPORTED.test(name)) continue;
    log.lost(name === 'podcast:value' ? 'payment_tags' : 'podcast_tags', item);
  }
}
