import type { FeedEpisode } from './model';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Plain text as the HTML that feed readers take descriptions for: its paragraphs and line ends kept, nothing else. */
export function htmlOfText(text: string): string {
  const safe = text.replace(/[&<>]/g, (character) => ENTITIES[character] as string);
  const paragraphs = safe.split(/\s*\n\s*\n\s*/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${paragraph.trim().replace(/\s*\n\s*/g, '<br>')}</p>`).join('');
}

/**
 * Whether an episode may stand in a feed: Apple and PSP-1 ask for the length of its file, by which apps show progress and
 * go on with a broken download.
 */
export function isLengthKnown({ audio }: Pick<FeedEpisode, 'audio'>): boolean {
  return Number.isSafeInteger(audio.bytes) && audio.bytes > 0;
}
