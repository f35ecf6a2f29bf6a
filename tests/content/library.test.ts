import { expect, test } from 'vitest';
import { slugOfText } from '~/server/base/public-paths';
import { buildLibrary, resolveLink } from '~/server/content/build-library';
import { entriesOf } from '~/server/content/library';
import { type ContentFile, parseFile } from '~/server/content/parse-entry';
import { plainTextOf, renderMarkdown } from '~/server/content/render-markdown';

const FRONT = 'title: A post\ndescription: What it is about.\ndate: 2026-11-02\ntags: [moving]';
const post = (
  id: string,
  { front = FRONT, body = 'Text.', ...more }: Partial<ContentFile & Parts> = {},
): ContentFile => ({
  collection: 'posts',
  language: 'en',
  id,
  file: `${more.language ?? 'en'}/posts/${id}.md`,
  content: `---\n${front}\n---\n\n${body}\n`,
  ...more,
});
type Parts = { front: string; body: string };
const both = (id: string, parts: Partial<Parts> = {}) => [post(id, parts), post(id, { ...parts, language: 'es' })];
const build = (files: ContentFile[], pictures: { name: string; width: number; height: number }[] = []) =>
  buildLibrary({
    files,
    pictures: pictures.map((picture) => ({ ...picture, file: picture.name, bytes: 1 })),
    sitePaths: new Set(['register', 'contact']),
  });

test.each([
  ['no front matter', 'Text', 'the file must begin with front matter'],
  ['no text', `---\n${FRONT}\n---\n`, 'no text below its front matter'],
  ['an unknown name', `---\n${FRONT}\nauthr: Ada\n---\nText`, 'authr'],
  ['no title', '---\ndescription: a\ndate: 2026-11-02\ntags: [a]\n---\nText', 'title'],
  ['a day that does not exist', `---\n${FRONT.replace('11-02', '02-31')}\n---\nText`, 'date: a day such as'],
  ['a slug that leads elsewhere', `---\n${FRONT}\nslug: ../admin\n---\nText`, 'slug'],
  ['a long title', `---\n${FRONT.replace('A post', 'a'.repeat(121))}\n---\nText`, 'title'],
  ['aliases', `---\ntitle: &a [x]\ndescription: *a\n---\nText`, 'alias'],
  ['broken YAML', '---\ntitle: "open\n---\nText', 'quote'],
  ['a list', '---\n- a\n---\nText', 'expected object'],
  ['a NUL', `---\n${FRONT}\n---\nTe\0xt`, 'control character'],
])('a file with %s is left out and named, and the others are read', async (_, content, problem) => {
  const { entries, problems } = await build([{ ...post('broken'), content }, ...both('whole')]);

  expect(entries.map(({ id }) => id)).toEqual(['whole', 'whole']);
  expect(problems.map(({ file }) => file)).toEqual(['en/posts/broken.md']);
  expect(problems[0]!.problem.toLowerCase()).toContain(problem);
});

test('a file of the same name replaces an earlier one, and others are added', async () => {
  const ours = [...both('one', { body: 'Ours.' }), ...both('two', { body: 'Ours.' })];
  const theirs = [...both('one', { body: 'Theirs.' }), ...both('three', { body: 'Theirs.' })];

  const library = await build([...ours, ...theirs]);

  expect(entriesOf(library, 'posts', 'es').map(({ id, text }) => [id, text])).toEqual([
    ['one', 'Theirs.'],
    ['two', 'Ours.'],
    ['three', 'Theirs.'],
  ]);
  expect(library.problems).toEqual([]);
});

test('the next step of a page leads to the text in its language', async () => {
  const about = 'title: About\ndescription: Us.\nnext:\n  text: Read\n  to: /blog/one';
  const page = { ...post('about'), collection: 'pages', language: 'es', content: `---\n${about}\n---\nText` } as const;
  const spanish = { ...post('one'), language: 'es', content: `---\n${FRONT}\nslug: uno\n---\nText` } as const;

  const { entries } = await build([post('one'), spanish, page, { ...page, language: 'en' }]);

  const steps = entries.map(({ data }) => ('next' in data ? data.next?.to : null));
  expect(steps).toEqual([null, null, '/es/blog/uno', '/en/blog/one']);
});

test('a broken file of the operator leaves ours in use', async () => {
  const library = await build([...both('one', { body: 'Ours.' }), { ...post('one'), content: 'broken' }]);

  expect(entriesOf(library, 'posts', 'en').map(({ text }) => text)).toEqual(['Ours.']);
  expect(library.problems).toHaveLength(1);
});

test('a text without its translation and a slug that is taken are reported', async () => {
  const { entries, problems } = await build([
    ...both('one'),
    post('alone'),
    ...both('second', { front: `${FRONT}\nslug: one` }),
  ]);

  expect(entries.map(({ id }) => id)).not.toContain('second');
  expect(problems.map(({ problem }) => problem)).toEqual([
    'the slug one is the one of en/posts/one.md',
    'the slug one is the one of es/posts/one.md',
    'there is no translation at es/posts/alone.md',
  ]);
});

test.each([
  ['/', '/es'],
  ['/#a', '/es#a'],
  ['/blog', '/es/blog'],
  ['/blog/move', '/es/blog/mudarse'],
  ['/blog/mudarse#pasos', '/es/blog/mudarse#pasos'],
  ['/blog/tag/mudanza', '/es/blog/tag/mudanza'],
  ['/discover?search=a', '/es/descubrir?search=a'],
  ['/register', '/es/register'],
  ['/blog/unknown', null],
  ['/blog/tag/unknown', null],
  ['/blog/move/more', null],
  ['/discover/more', null],
  ['/unknown', null],
])('in a Spanish text, the link %s leads to %s', async (link, address) => {
  const files = await Promise.all([
    parseFile(post('move')),
    parseFile(post('move', { language: 'es', front: `${FRONT.replace('moving', 'Mudanza')}\nslug: mudarse` })),
  ]);

  expect(resolveLink(link, 'es', { files, sitePaths: new Set(['register']) })).toBe(address);
});

const PICTURES = [
  ...['a', 'b', 'b-dark', 'c', 'c-dark'].map((name) => ({ name: `${name}.png`, width: 640, height: 480 })),
  ...['c-phone', 'c-phone-dark', 'd-phone'].map((name) => ({ name: `${name}.png`, width: 300, height: 400 })),
  { name: 'd.png', width: 640, height: 480 },
];
const tools = {
  resolve: (path: string) => (path.startsWith('/ok') ? `/en${path}` : null),
  picture: (name: string) => PICTURES.find((picture) => picture.name === name),
};

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;', []],
  ['a <b onclick="x()">b</b>', '<p>a &lt;b onclick="x()"&gt;b&lt;/b&gt;</p>', []],
  ['[a](javascript:alert(1))', '<p>a</p>', ['the link javascript:alert(1) leads nowhere']],
  ['[a](//other.example)', '<p>a</p>', ['the link //other.example leads nowhere']],
  ['[a](/nowhere)', '<p>a</p>', ['the link /nowhere leads nowhere']],
  ['[a](/ok "title")', '<p><a href="/en/ok">a</a></p>', []],
  ['[a](https://a.example/?a=1&b="2")', '<p><a href="https://a.example/?a=1&amp;b=&quot;2&quot;">a</a></p>', []],
  ['[a](#b)', '<p><a href="#b">a</a></p>', ['the link #b leads to no heading']],
  [
    '# One\n\n## *One*\n\n[a](#one-2)',
    '<h2 id="one">One</h2>\n<h2 id="one-2"><em>One</em></h2>\n<p><a href="#one-2">a</a></p>',
    [],
  ],
  [
    '![a "b"](a.png)',
    '<p><img src="/content-pictures/a.png" alt="a &quot;b&quot;" width="640" height="480" loading="lazy" /></p>',
    [],
  ],
  [
    '![b](b.png)',
    '<p><picture><source srcset="/content-pictures/b-dark.png" media="(prefers-color-scheme: dark)" width="640" height="480" /><img src="/content-pictures/b.png" alt="b" width="640" height="480" loading="lazy" /></picture></p>',
    [],
  ],
  [
    '![c](c.png)',
    [
      '<p><picture>',
      '<source srcset="/content-pictures/c-phone-dark.png" media="(max-width: 767px) and (prefers-color-scheme: dark)" width="300" height="400" />',
      '<source srcset="/content-pictures/c-phone.png" media="(max-width: 767px)" width="300" height="400" />',
      '<source srcset="/content-pictures/c-dark.png" media="(prefers-color-scheme: dark)" width="640" height="480" />',
      '<img src="/content-pictures/c.png" alt="c" width="640" height="480" loading="lazy" /></picture></p>',
    ].join(''),
    [],
  ],
  [
    '![d](d.png "5 < 6")',
    '<figure><picture><source srcset="/content-pictures/d-phone.png" media="(max-width: 767px)" width="300" height="400" /><img src="/content-pictures/d.png" alt="d" width="640" height="480" loading="lazy" /></picture><figcaption>5 &lt; 6</figcaption></figure>',
    [],
  ],
  [
    'Beside text: ![a](a.png "no caption")',
    '<p>Beside text: <img src="/content-pictures/a.png" alt="a" width="640" height="480" loading="lazy" /></p>',
    [],
  ],
  ['![a](https://a.example/a.png)', '<p>a</p>', ['there is no picture https://a.example/a.png']],
  ['![](a.png)', expect.stringContaining('alt=""'), ['the picture a.png needs a text for people who do not see it']],
])('%s becomes %s', async (markdown, html, problems) => {
  const rendered = await renderMarkdown(markdown, tools);

  expect(rendered.html).toEqual(html);
  expect(rendered.problems).toEqual(problems);
});

test('a table can be scrolled with the keyboard, and the plain text has the words', async () => {
  const { html } = await renderMarkdown('| a | b |\n|---|--:|\n| 1 & 2 | **3** |', tools);

  expect(html).toContain('<div data-table tabindex="0"><table>');
  expect(html).toContain('<td align="right"><strong>3</strong></td>');
  expect(plainTextOf(html)).toBe('a b 1 & 2 3');
});

test.each([
  ['Estadísticas', 'estadisticas'],
  ['  Private feeds! ', 'private-feeds'],
  ['¿?', ''],
])('the slug of the tag %s is %s', (tag, slug) => {
  expect(slugOfText(tag)).toBe(slug);
});

const LEGAL = 'title: Imprint\ndescription: a\nlead: b\nupdated: 2027-01-15';
const legal = (body: string, { front = LEGAL, id = 'imprint' } = {}) =>
  (['en', 'es'] as const).map((language) => ({ ...post(id, { front, body }), language, collection: 'legal' as const }));

test.each([
  ['an unknown placeholder', legal('{{register}}'), 'unknown placeholder {{register}}; known are operator, name'],
  ['half a placeholder', legal('{{name}'), 'a placeholder must begin with {{ and end with }}'],
  ['one in the address of a link', legal('[a](mailto:{{email}})'), '{{email}} is a link already'],
  ['one in the text of a link', legal('[{{email}}](/contact)'), '{{email}} is a link already'],
  ['one in the text of a picture', legal('![{{email}}](a.webp)'), '{{email}} is a link already'],
  ['one in a written address', legal('https://a.example/{{name}}'), '{{email}} is a link already'],
  ['one in an address below the text', legal('[a][x]\n\n[x]: https://a.example/{{name}}'), '{{email}} is a link'],
  ['the list as code', legal('We use:\n\n    {{processors}}'), '{{processors}} must be a paragraph of its own'],
  ['one in its front matter', legal('Text.', { front: LEGAL.replace('b', '"{{name}}"') }), 'below the front matter'],
  ['the list within a sentence', legal('We use {{processors}}.'), '{{processors}} must be a paragraph of its own'],
  ['a name of its own', legal('Text.', { id: 'rules' }), 'legal texts are terms, privacy, cookies, imprint'],
  ['an address of its own', legal('Text.', { front: `${LEGAL}\nslug: a` }), 'slug'],
  ['no day', legal('Text.', { front: LEGAL.replace(/\nupdated.*/, '') }), 'updated'],
])('a legal text with %s is left out and named', async (_, files, problem) => {
  const { entries, problems } = await build(files);

  expect(entries).toEqual([]);
  expect(problems).toHaveLength(2);
  expect(problems[0]!.problem).toContain(problem);
});

test('a legal text keeps its placeholders until a page shows it', async () => {
  const { entries, problems } = await build(legal('{{ vat-number }} [Terms](/terms-and-conditions)\n\n{{processors}}'));

  expect(problems).toEqual([]);
  expect(entries[1]!.html).toBe(
    '<p>{{ vat-number }} <a href="/es/terminos-y-condiciones">Terms</a></p>\n<p>{{processors}}</p>',
  );
});
