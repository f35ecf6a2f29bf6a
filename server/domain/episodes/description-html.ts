import { splitAtLinks, type TextPart, unescapeHtml } from '../../base/html';
import { momentFragment } from '../../base/public-paths';
import { loadSanitizer, RICH_TEXT, safeRichText } from '../../base/safe-html';
import { EPISODE_LIMITS } from '../../limits/episodes';

type Described = { id: number; description: string; durationMs: number | null };

/** An episode's description with links; links of times lead to the episode's page and play from there. */
export function shownDescription({ id, description, durationMs }: Described, pageUrl: string): string {
  const end = (durationMs ?? 0) / 1000;
  return linkDescription(description, (seconds) => (seconds < end ? pageUrl + momentFragment(id, seconds) : null));
}

/** The URL of a second of an episode; null beyond its end. */
type TimeUrl = (seconds: number) => string | null;

/**
 * Turns web addresses in sanitized HTML, and times such as 12:31, into links, except in existing links and code. Doors
 * do this for stored descriptions, so that descriptions of former versions have links too (decision 0097).
 */
export function linkDescription(html: string, timeUrl?: TimeUrl): string {
  const hasAddresses = MAY_HAVE_ADDRESSES.test(html);
  const hasTimes = timeUrl !== undefined && MAY_HAVE_TIMES.test(html);
  if (!hasAddresses && !hasTimes) return html;
  let isInLink = false;
  return html
    .split(/(<[^>]*>)/)
    .map((part) => {
      if (part.startsWith('<')) isInLink = /^<(?:a|code)\b/.test(part) || (isInLink && !/^<\/(?:a|code)>$/.test(part));
      if (part.startsWith('<') || isInLink) return part;
      const parts = hasAddresses ? splitAtLinks(part) : [{ text: part, href: null }];
      return parts.map((piece) => toHtml(piece, hasTimes ? timeUrl : undefined)).join('');
    })
    .join('');
}

/** Most descriptions have no addresses, and feeds have a thousand descriptions. */
const MAY_HAVE_ADDRESSES = /https?:\/\/|www\./i;
const MAY_HAVE_TIMES = /\d:[0-5]\d/;
/** 12:31, 75:30 or 1:02:03, but not a time of day (10:30 am) or a part of a longer number. */
const TIME = /(?<![\d:.,/])(?:(\d{1,2}):([0-5]\d)|(\d{1,3})):([0-5]\d)(?![\d:])(?!\s*(?:[ap]\.?\s?m\b|h\b))/gi;

function toHtml({ text, href }: TextPart, timeUrl: TimeUrl | undefined): string {
  if (href) return `<a href="${href}" rel="nofollow noopener">${text}</a>`;
  return timeUrl ? text.replace(TIME, (time, ...parts) => linkedTime(time, parts, timeUrl)) : text;
}

function linkedTime(time: string, [hours, minutes, onlyMinutes, seconds]: string[], timeUrl: TimeUrl): string {
  const number = (digits: string | undefined) => Number(digits ?? 0);
  const url = timeUrl(number(hours) * 3600 + (number(minutes) + number(onlyMinutes)) * 60 + number(seconds));
  return url ? `<a href="${url.replaceAll('&', '&amp;')}">${time}</a>` : time;
}

/** Safe HTML: plain text becomes paragraphs; in HTML, only the allowed tags and attributes remain. */
export const descriptionHtml = (text: string): Promise<string> =>
  safeRichText(text, { options: RICH_TEXT, maxTags: EPISODE_LIMITS.descriptionTags });

/** Stored HTML with the allowed tags and attributes only: the output of `descriptionHtml` stays unchanged. */
export async function safeHtml(html: string): Promise<string> {
  return html.includes('<') ? (await loadSanitizer())(html, RICH_TEXT).trim() : html;
}

/** A description as plain text, for search engines, feed summaries and emails. */
export async function descriptionText(html: string): Promise<string> {
  const sanitize = await loadSanitizer();
  const spaced = html.replace(/<(?:br|\/p|\/li|\/h[1-6])\b[^>]*>/gi, '$& ');
  const bare = sanitize(spaced, { allowedTags: [], allowedAttributes: {} });
  return unescapeHtml(bare).replace(/\s+/g, ' ').trim();
}
