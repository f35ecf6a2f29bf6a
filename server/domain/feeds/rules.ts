import type { FeedEpisode } from './model';

/** Text as markup that shows it. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Plain text as the HTML that feed readers take descriptions for: its paragraphs and line ends kept, nothing else. */
export function htmlOfText(text: string): string {
  const paragraphs = escapeMarkup(text)
    .split(/\s*\n\s*\n\s*/)
    .filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${paragraph.trim().replace(/\s*\n\s*/g, '<br>')}</p>`).join('');
}

/**
 * Whether an episode may stand in a feed: Apple and PSP-1 ask for the length of its file, by which apps show progress and
 * go on with a broken download.
 */
export function isLengthKnown({ audio }: Pick<FeedEpisode, 'audio'>): boolean {
  return Number.isSafeInteger(audio.bytes) && audio.bytes > 0;
}
