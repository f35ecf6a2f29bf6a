import { escapeHtml } from '../../base/html';
import { SHARING_LIMITS } from '../../limits/feeds';

/** Converts plain text to HTML for a feed description: blank lines become paragraphs, other line breaks `<br>`. */
export function toHtmlParagraphs(text: string): string {
  const paragraphs = escapeHtml(text)
    .split(/\s*\n\s*\n\s*/)
    .filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${paragraph.trim().replace(/\s*\n\s*/g, '<br>')}</p>`).join('');
}

/** Numbers of networks and apps that fetched one episode with one link, in a day and in the window. */
export type Fetched = { networks: number; apps: number; networksOfWeek: number };

/** Whether more people use a link than live in a household. */
export function looksShared({ networks, apps, networksOfWeek }: Fetched): boolean {
  const { networks: many, networksOfApps: several, apps: mixed, networksOfWeek: most } = SHARING_LIMITS;
  return networks >= many || (networks >= several && apps >= mixed) || networksOfWeek >= most;
}
