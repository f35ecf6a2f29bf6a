import { escapeHtml, unescapeHtml } from '../base/html';
import {
  COLUMN,
  directionOf,
  EMAIL_COLOURS,
  emailBox,
  emailButton,
  emailFrame,
  emailLine,
  textStyles,
} from './email-look';
import type { Edition, EditionPart, PictureBlock } from './model';
import { renderText } from './render-text';
import { type Shown, shownBlocks } from './shown-blocks';

const { muted, well, ink } = EMAIL_COLOURS;

/**
 * `html` and `text` have the fields of `MERGE_FIELDS` where their value belongs; the sender fills them in per recipient.
 * `bytes` is the size of the HTML, which `EDITION_LIMITS` limits.
 */
export type RenderedEmail = { html: string; text: string; bytes: number };

/** An email for clients that know only tables and inline styles, and the same as plain text. */
export function renderEmail(edition: Edition, part: EditionPart): RenderedEmail {
  const { language, title, preheader } = edition;
  const content = shownBlocks(edition, part).map((block) => renderBlock(block, edition));
  const sheet = [renderHead(edition), ...content].join('\n');
  const html = emailFrame({ language, title, preheader, sheet, below: renderFoot(edition) });
  return { html, text: renderText(edition, part), bytes: Buffer.byteLength(html) };
}

function renderHead({ publication, title }: Edition): string {
  const { name, header, logo } = publication;
  const picture = logo
    ? `<img src="${escapeHtml(logo)}" alt="" width="40" height="40" style="display:inline-block;vertical-align:middle;` +
      'margin-inline-end:12px;border:0;border-radius:8px">'
    : '';
  return (
    `<p class="soft" dir="auto" style="margin:0 0 24px;font-size:15px;line-height:1.4;font-weight:600;color:${muted}">${picture}` +
    `${escapeHtml(name)}</p>` +
    `<h1 dir="auto" style="margin:0 0 ${header ? 8 : 24}px;font-size:30px;line-height:1.2;font-weight:700">${escapeHtml(title)}</h1>` +
    (header
      ? `<p class="soft" dir="auto" style="margin:0 0 24px;line-height:1.6;color:${muted}">${lines(header)}</p>`
      : '')
  );
}

function renderFoot({ publication, links, words, isTracked }: Edition): string {
  const style = `class="soft" style="color:${muted};text-decoration:underline"`;
  const link = (label: string, href: string) => `<a href="${escapeHtml(href)}" ${style}>${escapeHtml(label)}</a>`;
  const paragraph = (html: string) => `<p dir="auto" style="margin:0 0 12px">${html}</p>`;
  return (
    (publication.footer ? paragraph(lines(publication.footer)) : '') +
    paragraph(escapeHtml(isTracked ? words.tracked : words.untracked)) +
    paragraph(
      (links.view ? `${link(words.view, links.view)} &nbsp;·&nbsp; ` : '') + link(words.unsubscribe, links.unsubscribe),
    ) +
    (links.pixel
      ? `<img src="${escapeHtml(links.pixel)}" alt="" width="1" height="1" style="display:block;border:0">`
      : '')
  );
}

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

function renderBlock(block: Shown, edition: Edition): string {
  if (block.kind === 'text') return styledText(block.html, edition);
  if (block.kind === 'picture') return renderPicture(block, edition.links.picture);
  if (block.kind === 'divider') return emailLine();
  if (block.kind === 'button') return button(block, edition);
  if (block.kind === 'episode') return renderCard(block, edition);
  const text = `<p style="margin:0 0 12px;font-size:18px;line-height:1.4;font-weight:600">${escapeHtml(block.text)}</p>`;
  const box = {
    table: 'margin:24px 0',
    name: 'well',
    cell: `padding:24px 24px 4px;background-color:${well};border-radius:12px`,
  };
  return emailBox(box, text + button(block, edition));
}

/** Clicks on addresses of emails are not counted. */
const counted = (href: string, { links }: Edition) => (/^https?:/i.test(href) ? links.click(href) : href);

function button({ label, href }: { label: string; href: string }, edition: Edition): string {
  const { button: background, buttonText: colour } = edition.publication.colours;
  return emailButton({ label, href: counted(href, edition), background, colour });
}

/** Safe HTML without styles, as our reader writes it, with a style on each tag. */
function styledText(html: string, edition: Edition): string {
  const styles = textStyles(directionOf(edition.language));
  const open: string[] = [];
  return html.replace(/<(\/?)(\w+)(?: href="([^"]*)")?>/g, (tag, slash: string, name: string, href?: string) => {
    if (name === 'li' || name === 'blockquote') slash ? open.pop() : open.push(name);
    const style = styles[`${open.at(-1)} ${name}`] ?? styles[name];
    if (slash || style === undefined) return tag;
    const target = href === undefined ? '' : ` href="${escapeHtml(counted(unescapeHtml(href), edition))}"`;
    return `<${name}${target} ${style}>`;
  });
}

/** Clients that block pictures show the alternative text in a box of the same colours. */
function renderPicture({ src, alt, width, height }: PictureBlock, address: (src: string) => string): string {
  const shown = Math.min(width ?? COLUMN, COLUMN);
  const tall = width && height ? ` height="${Math.max(1, Math.round((height * shown) / width))}"` : '';
  return (
    `<img class="well soft" src="${escapeHtml(address(src))}" alt="${escapeHtml(alt)}" width="${shown}"${tall} style="display:block;width:100%;` +
    `max-width:${shown}px;height:auto;margin:8px 0 24px;border:0;border-radius:8px;background-color:${well};color:${muted};` +
    'font-size:15px;line-height:1.5">'
  );
}

function renderCard({ card, note }: Extract<Shown, { kind: 'episode' }>, edition: Edition): string {
  const isRtl = directionOf(edition.language) === 'rtl';
  const href = escapeHtml(counted(card.href, edition));
  const cover = card.cover
    ? `<td width="96" valign="top" style="padding:16px ${isRtl ? '16px 16px 0' : '0 16px 16px'}"><a href="${href}"><img src="${escapeHtml(card.cover)}" alt="" ` +
      'width="96" height="96" style="display:block;border:0;border-radius:8px"></a></td>'
    : '';
  return (
    `<table role="presentation" class="well" width="100%" border="0" cellpadding="0" cellspacing="0" style="margin:8px 0 24px;` +
    `background-color:${well};border-radius:12px;border-collapse:separate"><tr>${cover}` +
    `<td valign="middle" dir="auto" style="padding:16px;overflow-wrap:anywhere"><p style="margin:0 0 4px;font-size:18px;line-height:1.3;` +
    `font-weight:700"><a class="ink" href="${href}" style="color:${ink};text-decoration:none">${escapeHtml(card.title)}</a></p>` +
    `<p class="soft" style="margin:0 0 8px;font-size:14px;color:${muted}">${escapeHtml(note)}</p>` +
    `<p style="margin:0;font-size:15px;font-weight:600"><a class="link" href="${href}" style="color:${EMAIL_COLOURS.link}">▶ ` +
    `${escapeHtml(edition.words.listen)}</a></p></td></tr></table>`
  );
}
