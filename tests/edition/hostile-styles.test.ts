import { expect, test } from 'vitest';
import { UNSUBSCRIBE_FIELD } from '~/server/edition/model';
import { renderEmail } from '~/server/edition/render-email';
import { renderWeb } from '~/server/edition/render-web';
import { sampleEdition } from './sample-edition';

const STYLES = [
  'position:fixed;inset:0;background:#fff;z-index:9999',
  'position:absolute;top:0;height:9999px',
  'margin-bottom:-400px;background:#fff',
  'transform:translateY(900px) scale(9)',
  'background:url(https://track.example/x.png)',
  'background:u\\72l(https://track.example/x.png)',
  'width:expression(alert(1))',
  'behavior:url(#x);-moz-binding:url(https://track.example/x.xml)',
  'float:left;clear:both;display:none',
  'font-size:0;color:transparent;visibility:hidden',
];
const TAGS = [
  'p',
  'div',
  'span',
  'b',
  'table',
  'td',
  'li',
  'h3',
  'a href="https://good.example/"',
  'img',
  'font',
  'center',
];
const SHEETS = [
  '<style>@import url(https://track.example/x.css); .paper{display:none}</style>',
  '<style><!-- </style><style>a{display:none}</style>',
  '<link rel="stylesheet" href="https://track.example/x.css">',
  '<svg><style>*{display:none}</style></svg>',
  '<math><mtext><style>*{display:none}</style></mtext></math>',
  '<p>x</p></td></tr></table></body><style>.side{display:none}</style>',
  '<!--[if mso]><style>td{display:none}</style><![endif]-->',
  '<p class="side paper" id="footer" hidden>x</p>',
  '<plaintext>',
  '<textarea>',
  '<xmp>',
  '<noscript>',
  '<details><summary>x</summary>',
  '<dialog open>x</dialog>',
  '<marquee>x</marquee>',
];
const FIELDS = [/\bstyle="([^"]*)"/g, /\bclass="([^"]*)"/g, /<style>([^<]*)<\/style>/g];
const stylesOf = (html: string) =>
  FIELDS.map((field) => [...new Set([...html.matchAll(field)].map(([, text]) => text))].sort());
const hostile = [
  ...STYLES.flatMap((style) =>
    TAGS.map((tag) => `<${tag} style="${style}" class="side" background="https://track.example/b.png">x`),
  ),
  ...SHEETS,
];

test('no style that comes with a content reaches an email or the archive, so nothing covers the link to unsubscribe', async () => {
  const plain = await sampleEdition();
  const known = stylesOf(renderEmail(plain, 'paid').html).map((styles) => new Set(styles));
  const footer = (html: string) => html.slice(html.lastIndexOf('Calle Mayor 1'));
  const expected = footer(renderEmail(plain, 'paid').html);

  for (const content of hostile) {
    const edition = await sampleEdition({ content: `<p>Hola</p>${content}<p>Adiós</p>` });
    const { html, text } = renderEmail(edition, 'paid');
    const strange = stylesOf(html).flatMap((styles, kind) => styles.filter((style) => !known[kind]!.has(style)));
    expect([content, strange]).toEqual([content, []]);
    expect(html).not.toContain('track.example');
    // the footer is there, outside of all that the content may have opened
    expect(footer(html)).toBe(expected);
    expect(text).toContain(UNSUBSCRIBE_FIELD);
    const web = renderWeb(edition, 'paid');
    expect(JSON.stringify(web)).not.toMatch(/track\.example|style=|position:|<style/);
  }
});
