import { element, empty, nest, seconds } from './markup';
import type {
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
} from './model';

/** Tags of the Podcasting 2.0 namespace that a show and an episode share, and Podlove's chapters. Absent lists are ''. */
function each<T>(list: T[] | undefined, write: (one: T) => string): string {
  return list ? list.map(write).join('') : '';
}

export function images(list: FeedImage[] | undefined): string {
  return each(list, ({ url, aspectRatio, ...rest }) =>
    empty('podcast:image', { href: url, 'aspect-ratio': aspectRatio, ...rest }),
  );
}

export function licence(license: FeedLicense | undefined): string {
  return license ? element('podcast:license', license.name, { url: license.url }) : '';
}

export function funding(list: FeedFunding[] | undefined): string {
  return each(list, ({ url, text }) => element('podcast:funding', text, { url }));
}

export function persons(list: FeedPerson[] | undefined): string {
  return each(list, ({ name, role, group, image, link }) =>
    element('podcast:person', name, { role, group, img: image, href: link }),
  );
}

export function locations(list: FeedLocation[] | undefined): string {
  return each(list, ({ name, ...rest }) => element('podcast:location', name, rest));
}

export function texts(list: FeedText[] | undefined): string {
  return each(list, ({ purpose, text }) => element('podcast:txt', text, { purpose }));
}

export function podroll(list: FeedReference[] | undefined): string {
  if (!list?.length) return '';
  const items = each(list, (one) => empty('podcast:remoteItem', one));
  return nest('podcast:podroll', items);
}

export function frequency(how: FeedFrequency | undefined): string {
  if (!how) return '';
  return element('podcast:updateFrequency', how.text, {
    complete: how.complete,
    dtstart: how.startsAt,
    rrule: how.rule,
  });
}

export function transcripts(list: FeedTranscript[] | undefined): string {
  return each(list, (one) => empty('podcast:transcript', one));
}

export function soundbites(list: FeedSoundbite[] | undefined): string {
  return each(list, ({ startMs, durationMs, title }) =>
    element('podcast:soundbite', title ?? '', { startTime: seconds(startMs), duration: seconds(durationMs) }),
  );
}

/** Podlove Simple Chapters 1.2. */
export function marks(list: FeedMark[] | undefined): string {
  if (!list?.length) return '';
  const chapters = each(list, ({ startMs, title, link, image }) =>
    empty('psc:chapter', { start: playTime(startMs), title, href: link, image }),
  );
  return nest('psc:chapters', chapters, { version: '1.2' });
}

/** Normal play time, `HH:MM:SS.mmm`. */
function playTime(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = String(ms % 1000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${rest}`;
}
