import { escapeHtml } from '../base/html';

/** The colours of all our emails. */
export const EMAIL_COLOURS = {
  ink: '#15131D',
  muted: '#645F73',
  paper: '#FBFAF8',
  sheet: '#FFFFFF',
  well: '#F3F0EA',
  line: '#E5E0D8',
  action: '#C93A27',
  link: '#274F94',
} as const;

/** The column without its margins: as wide as a phone in landscape, and any preview pane. */
export const COLUMN = 536;
const FONT = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const { ink, muted, paper, sheet, well, line, link } = EMAIL_COLOURS;

/** Classes that change in the dark scheme, with their dark colours. */
const DARK: Record<string, string> = {
  paper: 'background-color:#15131D',
  sheet: 'background-color:#1F1C29',
  well: 'background-color:#2A2637',
  ink: 'color:#F3F0EA',
  soft: 'color:#B8B4C4',
  link: 'color:#A9C1F5',
  line: 'border-color:#3A3648',
};

const darkRules = (prefix: string) =>
  Object.entries(DARK)
    .map(([name, rule]) => `${prefix}.${name}{${rule}!important}`)
    .join('');

/** Inline styles are for clients that drop this. */
const STYLES =
  ':root{color-scheme:light dark;supported-color-schemes:light dark}' +
  `body,table,td,p,a,li,blockquote,h1,h3,h4{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}` +
  '@media(max-width:620px){.side{padding-left:20px!important;padding-right:20px!important}h1{font-size:26px!important}}';

/** In a style element of its own, because a client that can't read one drops it as a whole. Outlook's apps use attributes. */
const DARK_STYLES =
  `@media(prefers-color-scheme:dark){${darkRules('')}}` +
  darkRules('[data-ogsc] ').replaceAll(/\[data-ogsc\] (\.(?:paper|sheet|well)\b)/g, '[data-ogsb] $1');

const MSO_HEAD =
  '<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml>' +
  '<style>td,p,a,li,h1,h3,h4{font-family:Arial,sans-serif!important}</style><![endif]-->';

/** Shown after the subject in lists of emails; the padding keeps the beginning of the text out of there. */
function hiddenPreheader(text: string): string {
  if (!text) return '';
  const padding = '&#847;&zwnj;&nbsp;'.repeat(Math.max(0, 90 - Math.floor(text.length / 2)));
  return (
    '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px">' +
    `${escapeHtml(text)}${padding}</div>`
  );
}

type Frame = {
  language: string;
  title: string;
  preheader: string;
  /** The HTML of the sheet, and of what is below it. */
  sheet: string;
  below: string;
};

const RTL = /^(?:ar|dv|fa|he|iw|ku|ps|sd|ug|ur|yi)\b/i;
export const directionOf = (language: string): 'rtl' | 'ltr' => (RTL.test(language) ? 'rtl' : 'ltr');

/** The page around an email: one column of 600 pixels, which Outlook needs as a table of its own. */
export function emailFrame({ language, title, preheader, sheet: main, below }: Frame): string {
  const direction = directionOf(language);
  const side = direction === 'rtl' ? 'right' : 'left';
  const row = (name: string, style: string, html: string) =>
    `<tr><td class="side ${name}" align="${side}" style="${style};text-align:start">${html}</td></tr>`;
  return (
    `<!doctype html><html lang="${escapeHtml(language)}" dir="${direction}" xmlns:o="urn:schemas-microsoft-com:office:office">` +
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">' +
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">' +
    `<title>${escapeHtml(title)}</title>${MSO_HEAD}<style>${STYLES}</style><style>${DARK_STYLES}</style></head>` +
    `<body class="paper ink" style="margin:0;padding:0;background-color:${paper};color:${ink};font-family:${FONT};font-size:17px">` +
    `${hiddenPreheader(preheader)}<table role="presentation" class="paper" width="100%" border="0" cellpadding="0" cellspacing="0" ` +
    `style="background-color:${paper}"><tr><td align="center" style="padding:24px 0">` +
    '<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->' +
    `<table role="presentation" width="100%" border="0" cellpadding="0" cellspacing="0" style="max-width:600px;margin:0 auto;` +
    `table-layout:fixed;font-family:${FONT}">` +
    row(
      'sheet ink',
      `padding:32px 32px 8px;background-color:${sheet};border-radius:12px;overflow-wrap:anywhere;color:${ink}`,
      main,
    ) +
    row('soft', `padding:24px 32px;font-size:14px;line-height:1.5;overflow-wrap:anywhere;color:${muted}`, below) +
    '</table><!--[if mso]></td></tr></table><![endif]--></td></tr></table></body></html>'
  );
}

/** A table of one cell, which keeps its padding and background in every client. */
export function emailBox(style: { table: string; cell: string; name?: string }, html: string): string {
  const name = style.name ? ` class="${style.name}"` : '';
  return (
    `<table role="presentation" width="100%" border="0" cellpadding="0" cellspacing="0" style="${style.table}"><tr>` +
    `<td${name} dir="auto" style="${style.cell}">${html}</td></tr></table>`
  );
}

type Button = { label: string; href: string; background: string; colour: string };

/** Outlook ignores the padding of links, so it gets the cell's. */
export function emailButton({ label, href, background, colour }: Button): string {
  return (
    '<table role="presentation" border="0" cellpadding="0" cellspacing="0" style="margin:8px 0 24px;border-collapse:separate">' +
    `<tr><td bgcolor="${background}" style="background-color:${background};border-radius:8px;mso-padding-alt:12px 20px">` +
    `<a href="${escapeHtml(href)}" dir="auto" style="display:inline-block;padding:12px 20px;color:${colour};font-size:16px;` +
    `font-weight:600;line-height:1.25;text-decoration:none;overflow-wrap:anywhere">${escapeHtml(label)}</a></td></tr></table>`
  );
}

export const emailLine = (): string =>
  `<table role="presentation" width="100%" border="0" cellpadding="0" cellspacing="0"><tr><td style="padding:8px 0 24px">` +
  `<div class="line" style="border-top:1px solid ${line};font-size:0;line-height:0">&nbsp;</div></td></tr></table>`;

/** The inline style of each tag of texts, and its class for the dark scheme. */
export function textStyles(direction: 'rtl' | 'ltr'): Record<string, string> {
  const side = direction === 'rtl' ? 'right' : 'left';
  return {
    p: 'dir="auto" style="margin:0 0 16px;line-height:1.6"',
    h3: 'dir="auto" style="margin:24px 0 8px;font-size:22px;line-height:1.3;font-weight:700"',
    h4: 'dir="auto" style="margin:20px 0 8px;font-size:18px;line-height:1.3;font-weight:700"',
    ul: 'dir="auto" style="margin:0 0 16px;padding:0 24px"',
    ol: 'dir="auto" style="margin:0 0 16px;padding:0 24px"',
    // only the list has a direction: its marks are on the side where its first words begin
    'li p': 'style="margin:0"',
    'blockquote p': 'dir="auto" style="margin:4px 0;line-height:1.6"',
    li: 'style="margin:0 0 6px;line-height:1.6"',
    blockquote: `class="line soft" style="margin:0 0 16px;padding:0 16px;border-${side}:3px solid ${line};color:${muted}"`,
    code: `class="well" style="padding:1px 4px;background-color:${well};border-radius:4px;font-family:Menlo,Consolas,monospace;font-size:15px"`,
    a: `class="link" style="color:${link};text-decoration:underline"`,
  };
}
