import { escapeHtml } from '../../../base/html';
import { EMAIL_COLOURS, emailButton, emailFrame } from '../../../edition/email-look';

export type EmailContent = {
  heading: string;
  /** In whose name it is sent, with their picture; ours without. */
  from?: { name: string; image: string | null };
  /** A show with its cover, in its creator's colour if they have one. */
  card?: { image: string; title: string; note: string; color: string | null };
  paragraphs: string[];
  button?: { label: string; url: string };
  footer: string;
  /** A link below the footer, for example to unsubscribe. */
  footerLink?: { label: string; url: string };
};

const { muted: MUTED, action: ACTION, well: CARD } = EMAIL_COLOURS;

/** In the frame of editions, with its dark scheme. Email clients reliably support only tables and inline styles. */
export function renderHtml(content: EmailContent, language: string): string {
  const { heading, from, card, paragraphs, button, footer, footerLink } = content;
  const sheet = [
    from ? renderSender(from) : '',
    `<h1 dir="auto" style="margin:0 0 24px;font-size:28px;line-height:1.2;font-weight:700">${escapeHtml(heading)}</h1>`,
    card ? renderCard(card) : '',
    ...paragraphs.map((text) => `<p dir="auto" style="margin:0 0 16px;line-height:1.6">${lines(text)}</p>`),
    button ? renderButton(button) : '',
  ];
  const last = footerLink
    ? `<p style="margin:8px 0 0"><a class="soft" href="${escapeHtml(footerLink.url)}" style="color:${MUTED};text-decoration:underline">` +
      `${escapeHtml(footerLink.label)}</a></p>`
    : '';
  const below = `<p dir="auto" style="margin:0">${escapeHtml(footer)}</p>${last}`;
  return emailFrame({ language, title: heading, preheader: '', sheet: sheet.join(''), below });
}

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

function renderSender({ name, image }: NonNullable<EmailContent['from']>): string {
  const picture = image
    ? `<img src="${escapeHtml(image)}" alt="" width="40" height="40" style="display:inline-block;vertical-align:middle;` +
      'margin-inline-end:12px;border:0;border-radius:8px">'
    : '';
  return (
    `<p class="soft" dir="auto" style="margin:0 0 24px;font-size:15px;line-height:1.4;font-weight:600;color:${MUTED}">` +
    `${picture}${escapeHtml(name)}</p>`
  );
}

/** Its address follows, for clients that show no links. */
function renderButton({ label, url }: NonNullable<EmailContent['button']>): string {
  return (
    emailButton({ label, href: url, background: ACTION, colour: '#FFFFFF' }) +
    `<p class="soft" style="margin:0 0 16px;font-size:14px;line-height:1.5;color:${MUTED};word-break:break-all">${escapeHtml(url)}</p>`
  );
}

/** Without its picture, which many clients load only when asked, the card still names the show. */
function renderCard({ image, title, note, color }: NonNullable<EmailContent['card']>): string {
  return (
    `<table role="presentation" class="well" width="100%" style="margin:0 0 24px;background-color:${CARD};border-radius:12px;` +
    `border-top:6px solid ${color ?? ACTION}"><tr><td width="112" style="padding:16px 0 16px 16px">` +
    `<img src="${escapeHtml(image)}" alt="" width="112" height="112" style="display:block;border-radius:8px"></td>` +
    `<td style="padding:16px;overflow-wrap:anywhere"><p style="margin:0 0 4px;font-size:20px;line-height:1.2;` +
    `font-weight:700">${escapeHtml(title)}</p><p class="soft" style="margin:0;color:${MUTED};font-size:14px">` +
    `${escapeHtml(note)}</p></td></tr></table>`
  );
}

export function renderText({ heading, paragraphs, button, footer, footerLink }: EmailContent): string {
  const link = (shown?: { label: string; url: string }) => (shown ? [`${shown.label}:\n${shown.url}`] : []);
  return [heading, ...paragraphs, ...link(button), footer, ...link(footerLink)].join('\n\n');
}
