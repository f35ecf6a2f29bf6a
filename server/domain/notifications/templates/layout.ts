import { escapeHtml } from '../../../base/html';
import { EMAIL_COLOURS } from '../../../edition/email-look';

export type EmailContent = {
  heading: string;
  /** A show with its cover, in its creator's colour if they have one. */
  card?: { image: string; title: string; note: string; color: string | null };
  paragraphs: string[];
  button?: { label: string; url: string };
  footer: string;
  /** A link below the footer, for example to unsubscribe. */
  footerLink?: { label: string; url: string };
};

const { ink: INK, muted: MUTED, paper: PAPER, action: ACTION, well: CARD } = EMAIL_COLOURS;

/** One column and one button. Email clients reliably support only tables and inline styles. */
export function renderHtml(content: EmailContent, language: string): string {
  const { heading, card, paragraphs, button, footer, footerLink } = content;
  const body = paragraphs
    .map((p) => `<p style="margin:0 0 16px;line-height:1.5">${escapeHtml(p).replaceAll('\n', '<br>')}</p>`)
    .join('');
  const action = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="background:${ACTION};color:#fff;` +
      `text-decoration:none;padding:12px 20px;border-radius:8px;display:inline-block;font-weight:600">` +
      `${escapeHtml(button.label)}</a></p>` +
      `<p style="margin:0 0 16px;color:${MUTED};font-size:14px;word-break:break-all">${escapeHtml(button.url)}</p>`
    : '';
  const last = footerLink
    ? `<p style="margin:8px 0 0;font-size:14px"><a href="${escapeHtml(footerLink.url)}" style="color:${MUTED}">` +
      `${escapeHtml(footerLink.label)}</a></p>`
    : '';
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(heading)}</title></head>` +
    `<body style="margin:0;background:${PAPER};color:${INK};font:16px system-ui,sans-serif">` +
    `<table role="presentation" width="100%"><tr><td align="center" style="padding:32px 16px">` +
    `<table role="presentation" width="100%" style="max-width:560px;table-layout:fixed;text-align:left"><tr><td style="overflow-wrap:anywhere">` +
    `<h1 style="font-size:28px;line-height:1.2;margin:0 0 24px">${escapeHtml(heading)}</h1>${card ? renderCard(card) : ''}${body}${action}` +
    `<p style="margin:32px 0 0;color:${MUTED};font-size:14px">${escapeHtml(footer)}</p>${last}` +
    `</td></tr></table></td></tr></table></body></html>`
  );
}

/** Without its picture, which many clients load only when asked, the card still names the show. */
function renderCard({ image, title, note, color }: NonNullable<EmailContent['card']>): string {
  return (
    `<table role="presentation" width="100%" style="margin:0 0 24px;background:${CARD};border-radius:12px;` +
    `border-top:6px solid ${color ?? ACTION}"><tr><td width="112" style="padding:16px 0 16px 16px">` +
    `<img src="${escapeHtml(image)}" alt="" width="112" height="112" style="display:block;border-radius:8px"></td>` +
    `<td style="padding:16px;overflow-wrap:anywhere"><p style="margin:0 0 4px;font-size:20px;line-height:1.2;` +
    `font-weight:700">${escapeHtml(title)}</p><p style="margin:0;color:${MUTED};font-size:14px">` +
    `${escapeHtml(note)}</p></td></tr></table>`
  );
}

export function renderText({ heading, paragraphs, button, footer, footerLink }: EmailContent): string {
  const link = (shown?: { label: string; url: string }) => (shown ? [`${shown.label}:\n${shown.url}`] : []);
  return [heading, ...paragraphs, ...link(button), footer, ...link(footerLink)].join('\n\n');
}
