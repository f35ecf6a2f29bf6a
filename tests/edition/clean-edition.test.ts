import { expect, test } from 'vitest';
import { cleanEdition } from '~/server/edition/clean-edition';
import type { Block } from '~/server/edition/model';
import { readBlocks } from '~/server/edition/read-blocks';
import { EDITION_LIMITS } from '~/server/limits/editions';
import { isDeep } from '../support/deep';

const isPicture = (src: string) => src.startsWith('/media/images/');
const clean = (html: string) => cleanEdition(html, isPicture);

test.each([
  ['plain text', 'One\ntwo\n\nThree <3', '<p>One<br>two</p>\n<p>Three &lt;3</p>'],
  [
    'bold and italic',
    '<p><b>a</b> <i>b</i> <b><b>c</b></b></p>',
    '<p><strong>a</strong> <em>b</em> <strong>c</strong></p>',
  ],
  ['text without a paragraph', 'Hi <b>you</b><p>Two</p>', '<p>Hi <strong>you</strong></p>\n<p>Two</p>'],
  ['empty elements', '<p>&nbsp;</p><p><b></b><br></p><ul><li></li></ul><p>a<br><br></p>', '<p>a</p>'],
  ['spaces between formats', '<p> a<b> </b>b </p>', '<p>a b</p>'],
  ['headings', '<h1>A</h1><h2>B</h2><h5>C</h5>', '<h3>A</h3>\n<h3>B</h3>\n<h4>C</h4>'],
  ['lists', '<ul><li><p>a</p><ol><li>b</li></ol></li></ul>', '<ul><li><p>a</p><ol><li>b</li></ol></li></ul>'],
  ['spaces between items', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>', '<ul><li>a</li><li>b</li></ul>'],
  ['an item without a list', '<li>a</li><li>b</li>', '<ul><li>a</li><li>b</li></ul>'],
  ['a quotation', '<blockquote>a<p>b</p></blockquote>', '<blockquote><p>a</p><p>b</p></blockquote>'],
  [
    'links',
    '<p><a href="https://a.example/?a=1&b=2" onclick="x">a</a><a href="/x">b</a></p>',
    '<p><a href="https://a.example/?a=1&amp;b=2">a</a>b</p>',
  ],
  [
    'a picture',
    '<img src="/media/images/1/a/full.jpg" alt="A &quot;b&quot;" width="600" height="400" onerror="x">',
    '<img src="/media/images/1/a/full.jpg" alt="A &quot;b&quot;" width="600" height="400">',
  ],
  [
    'a picture in a paragraph',
    '<p>a<img src="/media/images/1/a.jpg">b</p>',
    '<p>a</p>\n<img src="/media/images/1/a.jpg" alt="">\n<p>b</p>',
  ],
  [
    'a picture in a list',
    '<ul><li>a<img src="/media/images/1/a.jpg"></li><li>b</li></ul>',
    '<ul><li>a</li></ul>\n<img src="/media/images/1/a.jpg" alt="">\n<ul><li>b</li></ul>',
  ],
  [
    'a tracker',
    '<p>a</p><img src="https://spy.example/p.gif" width="1" height="1"><img src="data:image/gif;base64,R0">',
    '<p>a</p>',
  ],
  ['lines', '<hr class="x"><hr data-free-end><p>a</p><hr data-free-end="1">', '<hr>\n<hr data-free-end>\n<p>a</p>'],
  [
    'a button',
    '<p data-button="custom" class="x"><a href="https://a.example" style="x"><b>Read</b> it</a></p>',
    '<p data-button="custom"><a href="https://a.example">Read it</a></p>',
  ],
  [
    'a button without an address',
    '<p data-button="custom"><a href="javascript:x">Read</a></p>',
    '<p data-button="custom"><a>Read</a></p>',
  ],
  [
    'a share button',
    '<p data-button="share"><a href="https://a.example">Share</a></p>',
    '<p data-button="share"><a>Share</a></p>',
  ],
  ['a button with the usual label', '<p data-button="donate"></p>', '<p data-button="donate"><a></a></p>'],
  [
    'a button within a button',
    '<p data-button="share">a<p data-button="donate">b</p>',
    '<p data-button="share"><a>a</a></p>\n<p data-button="donate"><a>b</a></p>',
  ],
  ['an unknown button', '<p data-button="pay">a</p>', '<p>a</p>'],
  [
    'a card',
    '<div data-episode="12"><p>x</p></div><div data-episode="-1">y</div>',
    '<div data-episode="12"></div>\n<p>x</p>\n<p>y</p>',
  ],
])('%s', async (_, html, expected) => {
  const cleaned = await clean(html);

  expect([cleaned, await clean(cleaned)]).toEqual([expected, expected]);
});

test.each([
  [
    'Word',
    '<html xmlns:o="urn"><head><title>T</title><style>p{color:red}</style></head><body><!--[if gte mso 9]><xml>x</xml><![endif]-->' +
      '<p class=MsoNormal style="mso-margin-top-alt:auto"><span lang=EN-US style="font-size:11pt">Hello<o:p></o:p></span></p><p class=MsoNormal><o:p>&nbsp;</o:p></p></body></html>',
    '<p>Hello</p>',
  ],
  [
    'Google Docs',
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-weight:700">Bold</span><span style="font-weight:400"> text</span></p><br><p dir="ltr"><span style="font-style:italic">x</span></p></b>',
    '<p><strong>Bold</strong> text</p>\n<p><em>x</em></p>',
  ],
  ['a table', '<table><tr><td>One</td></tr><tr><td>Two</td></tr></table>', '<p>One</p>\n<p>Two</p>'],
  [
    'wrappers',
    '<div class="a"><section><div>One</div><div>Two <span></span></div></section></div>',
    '<p>One</p>\n<p>Two</p>',
  ],
])('text from %s comes out clean', async (_, html, expected) => {
  expect(await clean(html)).toBe(expected);
});

const BIG = EDITION_LIMITS.contentLength;
test.each([
  ['scripts', '<p>a<script>alert(1)</script><svg><script>x</script></svg><style>p{}</style></p>', '<p>a</p>'],
  ['broken scripts', '<p>a</p><scr<script>ipt>alert(1)</scr</script>ipt>', null],
  [
    'event handlers',
    '<p onclick=x>a</p><img src=x onerror=alert(1)><a href="java&#0;script:x">b</a>',
    '<p>a</p>\n<p>b</p>',
  ],
  [
    'frames and forms',
    '<p>a</p><iframe srcdoc="<script>x</script>">y</iframe><form><input name=a><button>b</button></form>',
    null,
  ],
  ['control characters', '<p>a\0b\x1bc&#0;&#27;</p>', null],
  ['half characters', '<p>a\ud83d</p><p title="\udc00">b\udc00</p>', '<p>a\ufffd</p>\n<p>b\ufffd</p>'],
  ['100,000 opening brackets', '<'.repeat(BIG), null],
  ['20,000 nested elements', `${'<b>'.repeat(20_000)}x`, '<p><strong>x</strong></p>'],
  ['nested lists', `${'<ul><li>'.repeat(12_000)}x`, null],
  ['nested quotations', `${'<blockquote>'.repeat(8000)}x`, null],
  ['pictures in nested lists', `${'<ul><li>'.repeat(3000)}${'a<img src="/media/images/1/a.jpg">'.repeat(2000)}`, null],
  ['one attribute', `<p data-button="${'x"'.repeat(40_000)}`, null],
  ['quotes', `<p>${'"'.repeat(99_000)}</p>`, null],
  ['spaces', `<p>a${' \n'.repeat(45_000)}b</p>`, '<p>a b</p>'],
  ['entities', '&lt;'.repeat(25_000), null],
])('hostile: %s', async (_, html, expected) => {
  const cleaned = await clean(html.slice(0, BIG));

  if (expected !== null) expect(cleaned).toBe(expected);
  expect(foreignParts(cleaned)).toEqual([]);
});

test('content beyond the limit is refused before anything is parsed', async () => {
  await expect(clean('a'.repeat(BIG + 1))).rejects.toThrow(RangeError);
});

test('blocks come in their order', async () => {
  const html =
    '<p>a</p><hr data-free-end><div data-episode="7"></div><p data-button="subscribe"><a>Join &amp; go</a></p>';

  const blocks: Block[] = [
    { kind: 'text', html: '<p>a</p>' },
    { kind: 'free_end' },
    { kind: 'episode', id: 7 },
    { kind: 'button', action: 'subscribe', label: 'Join & go', href: '' },
  ];
  expect(readBlocks(await clean(html))).toEqual(blocks);
});

const SAMPLE =
  '<h3>Hi {{name}}</h3><p>a <strong>b <em>c</em></strong> <a href="https://a.example/?a=1&amp;b">d</a><br>e</p><ul><li><p>f</p><ol><li>g</li></ol></li></ul>' +
  '<blockquote><p>h</p></blockquote><img src="/media/images/1/a.jpg" alt="i" width="10" height="20"><hr><hr data-free-end>' +
  '<p data-button="custom"><a href="https://b.example">j</a></p><div data-episode="12"></div><p><u>k</u> <code>l</code></p>';

const MUTATIONS = isDeep ? 5000 : 1000;
test(`${MUTATIONS} mutations stay in the vocabulary, and cleaning them again changes nothing`, async () => {
  const random = seeded(35);
  const pieces = SAMPLE.split(/(?=<)|(?<=>)/);
  for (let i = 0; i < MUTATIONS; i += 1) {
    const mutated = mutate(SAMPLE, pieces, random);
    const cleaned = await clean(mutated);

    expect(foreignParts(cleaned), mutated).toEqual([]);
    expect(await clean(cleaned), mutated).toBe(cleaned);
  }
});

function mutate(sample: string, pieces: string[], random: (below: number) => number): string {
  let text = sample;
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const [at, to] = [random(text.length), random(text.length)].sort((a, b) => a - b) as [number, number];
    const change = random(4);
    if (change === 0) text = text.slice(0, at) + text.slice(Math.min(to, at + 20));
    else if (change === 1) text = text.slice(0, at) + text.slice(at, to) + text.slice(at);
    else if (change === 2) text = text.slice(0, at) + pieces[random(pieces.length)] + text.slice(at);
    else text = text.slice(0, at) + '<>"\'&/=\0\ud800 -'[random(11)] + text.slice(at + 1);
  }
  return text.slice(0, 20_000);
}

/** Every run draws the same numbers. */
function seeded(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const VOCABULARY = [
  /^<\/?(?:p|h3|h4|ul|ol|li|blockquote|strong|em|u|code)>$/,
  /^<(?:br|hr|hr data-free-end)>$/,
  /^<a href="(?:https?:\/\/|mailto:)[^"<>\s]+">$|^<a>$|^<\/a>$/,
  /^<img src="\/media\/images\/[^"<>]*" alt="[^"<>]*"(?: width="\d+")?(?: height="\d+")?>$/,
  /^<p data-button="(?:custom|share|subscribe|donate)">$/,
  /^<div data-episode="\d+">$|^<\/div>$/,
];

/** Tags outside the vocabulary, elements that are not closed, and characters that nobody may store. */
function foreignParts(html: string): string[] {
  const tags = html.match(/<[^>]*>?/g) ?? [];
  const open: string[] = [];
  for (const [, slash, name] of html.matchAll(/<(\/?)(\w+)/g)) {
    if (['br', 'hr', 'img'].includes(name!)) continue;
    if (!slash) open.push(name!);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be stored
  const characters = html.match(/[\0-\x08\x0b-\x1f]|[^<>]>(?=[^<]*>)/g) ?? [];
  return [...tags.filter((tag) => !VOCABULARY.some((allowed) => allowed.test(tag))), ...open, ...characters];
}
