import type { Token, Tokens } from 'marked';
import type sanitizeHtml from 'sanitize-html';
import { escapeHtml, unescapeHtml } from '../base/html';
import { slugOfText } from '../base/public-paths';
import { loadSanitizer } from '../base/safe-html';
import { pictureHtml, pictureParts, type ShownPicture } from './picture-html';

export type RenderTools = {
  /** The address of a link inside the site; null if it leads nowhere. */
  resolve(path: string): string | null;
  picture(name: string): ShownPicture | undefined;
};
export type RenderedMarkdown = { html: string; headings: { id: string; text: string }[]; problems: string[] };

/** What texts may contain. The page has the first level of headings. */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'a', 'strong', 'em', 'del', 'ul', 'ol', 'li', 'blockquote', 'code', 'pre'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'img', 'picture', 'source', 'div'],
    ...['figure', 'figcaption'],
  ],
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    source: ['srcset', 'media', 'width', 'height'],
    ol: ['start'],
    th: ['align'],
    td: ['align'],
    div: ['data-table', 'tabindex'],
    h2: ['id'],
    h3: ['id'],
    h4: ['id'],
  },
  selfClosing: ['img', 'br', 'hr', 'source'],
  allowedSchemes: ['http', 'https', 'mailto'],
};

/**
 * Markdown as safe HTML. HTML in it is shown as text. Links that lead nowhere and unknown pictures are left out and
 * reported.
 */
export async function renderMarkdown(markdown: string, tools: RenderTools): Promise<RenderedMarkdown> {
  // loaded here, because a start needs neither
  const [{ Marked }, sanitize] = await Promise.all([import('marked'), loadSanitizer()]);
  const headings: RenderedMarkdown['headings'] = [];
  const problems: string[] = [];
  const fragments: string[] = [];
  const ids = new Set<string>();
  const marked = new Marked({
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        const text = plainTextOf(html);
        const id = freeId(slugOfText(text) || 'part', ids);
        const level = Math.min(Math.max(depth, 2), 4);
        if (level === 2) headings.push({ id, text });
        return `<h${level} id="${id}">${html}</h${level}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const html = this.parser.parseInline(tokens);
        if (href.startsWith('#')) fragments.push(href.slice(1));
        const address = addressOf(href, tools);
        if (address === null) problems.push(`the link ${href} leads nowhere`);
        return address === null ? html : `<a href="${escapeHtml(address)}">${html}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const picture = tools.picture(href);
        if (!picture) problems.push(`there is no picture ${href}`);
        if (!text.trim()) problems.push(`the picture ${href} needs a text for people who do not see it`);
        return picture ? pictureHtml(pictureParts(picture, tools), text) : escapeHtml(text);
      },
      paragraph({ tokens }: Tokens.Paragraph) {
        const html = this.parser.parseInline(tokens);
        const caption = captionOf(tokens);
        if (!caption) return `<p>${html}</p>\n`;
        return `<figure>${html}<figcaption>${escapeHtml(caption)}</figcaption></figure>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[]) => `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>\n`;
        const [head, rows] = [row(token.header), token.rows.map(row).join('')];
        return `<div data-table tabindex="0"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  const html = sanitize(await marked.parse(markdown), ALLOWED).trim();
  for (const id of fragments) if (!ids.has(id)) problems.push(`the link #${id} leads to no heading`);
  return { html, headings, problems };
}

function addressOf(href: string, { resolve }: RenderTools): string | null {
  if (/^#[\w-]+$/.test(href) || /^(?:https:\/\/|mailto:)\S+$/.test(href)) return href;
  return /^\/(?!\/)/.test(href) ? resolve(href) : null;
}

/** The title of a picture that is a paragraph of its own: `![text](studio.webp "Title")`. */
function captionOf([only, ...others]: Token[]): string {
  return only?.type === 'image' && others.length === 0 ? ((only as Tokens.Image).title ?? '') : '';
}

function freeId(wanted: string, ids: Set<string>): string {
  let id = wanted;
  for (let i = 2; ids.has(id); i += 1) id = `${wanted}-${i}`;
  ids.add(id);
  return id;
}

/** The text of HTML that we wrote. */
export const plainTextOf = (html: string): string =>
  unescapeHtml(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
