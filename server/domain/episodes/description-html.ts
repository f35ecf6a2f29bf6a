import type sanitizeHtml from 'sanitize-html';
import { splitAtLinks, type TextPart } from '../../base/html';
import { momentFragment } from '../../base/public-paths';
import { EPISODE_LIMITS } from '../../limits/episodes';

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'a', 'strong', 'b', 'em', 'i', 'u', 'ul', 'ol', 'li', 'blockquote', 'h3', 'h4', 'code'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: {
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    // relative addresses are removed, because they would lead elsewhere in each app
    a: (tagName, { href = '' }) => ({
      tagName,
      attribs: isSafeLink(href) ? { href, rel: 'nofollow noopener' } : ({} as Record<string, string>),
    }),
  },
};

const isSafeLink = (href: string) => /^(?:https?:\/\/|mailto:)\S+$/i.test(href.trim());

/** Loaded at first use, because loading it takes a tenth of the time of a cold start. */
const loadSanitizer = async () => (await import('sanitize-html')).default;

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

const LOOKS_LIKE_HTML = /<(?:p|br|a|strong|b|em|i|u|ul|ol|li|blockquote|h[1-6]|code|div|span|script|style)\b/i;

/** Safe HTML: plain text becomes paragraphs; in HTML, only the allowed tags and attributes remain. */
export async function descriptionHtml(text: string): Promise<string> {
  const sanitize = await loadSanitizer();
  if (LOOKS_LIKE_HTML.test(text)) return sanitize(withoutSurplusTags(text), ALLOWED).trim();
  // an address in angle brackets would be read as a tag
  const bracketed = text.replace(/<((?:https?:|www\.)[^<>\s]*)>/gi, '&lt;$1&gt;');
  const escaped = sanitize(bracketed, { allowedTags: [], allowedAttributes: {}, disallowedTagsMode: 'escape' });
  return escaped
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.trim().replace(/\n/g, '<br>')}</p>`)
    .join('');
}

/** Reading nested tags takes the square of their number, so text keeps the first ones only. */
function withoutSurplusTags(html: string): string {
  let tags = 0;
  return html.replace(/<\/?[a-z][^<>]*>?/gi, (tag) => {
    tags += 1;
    return tags <= EPISODE_LIMITS.descriptionTags ? tag : ' ';
  });
}

/** Stored HTML with the allowed tags and attributes only: the output of `descriptionHtml` stays unchanged. */
export async function safeHtml(html: string): Promise<string> {
  return html.includes('<') ? (await loadSanitizer())(html, ALLOWED).trim() : html;
}

/** A description as plain text, for search engines, feed summaries and emails. */
export async function descriptionText(html: string): Promise<string> {
  const sanitize = await loadSanitizer();
  const spaced = html.replace(/<(?:br|\/p|\/li|\/h[1-6])\b[^>]*>/gi, '$& ');
  const bare = sanitize(spaced, { allowedTags: [], allowedAttributes: {} });
  return bare
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
