import { v5 } from 'uuid';

/** The namespace that Podcasting 2.0 defines for podcast:guid, so every host derives the same GUID from one address. */
const PODCAST_NAMESPACE = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6';

/** Derives the podcast:guid of a feed: UUIDv5 of its address without scheme and trailing slashes. */
export function deriveFeedGuid(url: string): string {
  const address = withoutScheme(url);
  let end = address.length;
  // a pattern such as /\/+$/ would take quadratic time on an address full of slashes
  while (address[end - 1] === '/') end -= 1;
  return v5(address.slice(0, end), PODCAST_NAMESPACE);
}

/**
 * Derives the GUID of an item without one from its file, without scheme and query: with https or new tokens, it stays
 * the same.
 */
export function deriveItemGuid(audioUrl: string): string {
  return v5(withoutScheme(withoutQuery(audioUrl)), PODCAST_NAMESPACE);
}

/** Removes query and fragment. */
export function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

function withoutScheme(url: string): string {
  return url.replace(/^[a-z]+:\/\//i, '');
}
