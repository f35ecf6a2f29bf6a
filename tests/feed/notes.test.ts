import { expect, test } from 'vitest';
import { episodeOf, FILE, lossesOf, parseSource, rss, showOf } from '../support/feed-reading';

const LONG = 'Hoy subimos a la torre con Ana, que lleva treinta años dando cuerda al reloj de la plaza del mercado. ';
const PIXEL = '&lt;img src="https://a.example/pixel.gif" width="1" height="1"/&gt;';
const item = (tags: string) => rss(`<item><title>Uno</title><guid>1</guid>${tags}${FILE}</item>`);

test.each([
  ['a short description', '<description>Con Ana en la torre</description>'],
  ['a tracking pixel', `<description>${PIXEL}</description>`],
  ['a pixel in the full notes', `<content:encoded>${PIXEL}</content:encoded>`],
  [
    'a link with a long address',
    `<description>&lt;a href="https://a.example/${'x'.repeat(900)}"&gt;Más&lt;/a&gt;`.concat('</description>'),
  ],
  ['a bare address', `<description>https://a.example/${'x'.repeat(900)}</description>`],
  ['a subtitle', '<itunes:subtitle>La torre</itunes:subtitle>'],
])('%s does not hide a fuller summary', (_, tags) => {
  expect(episodeOf(`${tags}<itunes:summary>${LONG.repeat(4)}</itunes:summary>${FILE}`).description).toBe(
    LONG.repeat(4).trim(),
  );
});

test('words of the shorter text that the fuller one lacks are reported as lost', () => {
  const reading = parseSource(
    item(`<description>Patrocina la librería Quijote</description><itunes:summary>${LONG}</itunes:summary>`),
  );

  expect(reading.feed?.episodes[0]?.description).toBe(LONG.trim());
  expect(reading.losses).toContainEqual({ kind: 'description_dropped', count: 1, first: 1 });
});

test.each([
  ['the same text', LONG],
  ['its start', `${LONG.slice(0, 42)}…`],
  ['the same text as HTML', `&lt;p&gt;${LONG.replace('torre', '&lt;b&gt;torre&lt;/b&gt;')}&lt;/p&gt;`],
  ['a pixel', PIXEL],
])('%s in a second tag is no loss', (_, text) => {
  const reading = parseSource(item(`<description>${text}</description><itunes:summary>${LONG}</itunes:summary>`));

  expect(lossesOf(reading)).not.toContain('description_dropped');
});

test('HTML is kept if the plain summary says the same with addresses written out', () => {
  const html = `<p>${LONG}</p><p><a href="https://a.example/torre">La torre</a></p>`;
  const plain = `${LONG} La torre (https://a.example/torre)`;
  const tags = `<content:encoded><![CDATA[${html}]]></content:encoded><itunes:summary>${plain}</itunes:summary>`;

  const reading = parseSource(item(tags));

  expect(reading.feed?.episodes[0]?.description).toBe(html);
  expect(lossesOf(reading)).not.toContain('description_dropped');
});

test('the show’s fuller text is used as well, and the loss reported', () => {
  const source = rss(
    '',
    `<description>Un podcast de Radio Plaza</description><itunes:summary>${LONG}</itunes:summary>`,
  );

  expect(showOf(source).description).toBe(LONG.trim());
  expect(parseSource(source).losses).toContainEqual({ kind: 'description_dropped', count: 1, first: 0 });
});

const BOILERPLATE = 'Un podcast de Radio Plaza sobre oficios antiguos, cada martes, con Luis y Marta. '.repeat(6);
const repeated = (owns: string[]) =>
  rss(
    owns
      .map((own, i) => {
        const tags = `<title>${i}</title><guid>${i}</guid><content:encoded>${BOILERPLATE}</content:encoded>${own}`;
        return `<item>${tags}${FILE.replace('.mp3', `-${i}.mp3`)}</item>`;
      })
      .join(''),
  );
const notesOf = (source: string) => parseSource(source).feed!.episodes.map(({ description }) => description);
const OWN = ['Con Ana en la torre.', 'Con Eva en el molino.', 'Con Pau en la herrería.'];

test('a text that three items repeat is not the notes of those with another', () => {
  const tags = OWN.map((own) => `<description>${own}</description>`);

  expect(notesOf(repeated([...tags, '']))).toEqual([...OWN, BOILERPLATE.trim()]);
  expect(notesOf(repeated(tags.map(() => '')))).toEqual(tags.map(() => BOILERPLATE.trim()));
});

test('of several own texts, the fullest one becomes the notes', () => {
  const tags = OWN.map((own) => `<itunes:subtitle>Hoy</itunes:subtitle><description>${own}</description>`);

  expect(notesOf(repeated(tags))).toEqual(OWN);
});

test.each([
  ['a text in two items', OWN.slice(0, 2).map((own) => `<description>${own}</description>`)],
  ['another text without words', OWN.map((_, i) => `<description>${PIXEL.replace('pixel', `${i}`)}</description>`)],
])('%s leaves the fullest text', (_, tags) => {
  expect(notesOf(repeated(tags))).toEqual(tags.map(() => BOILERPLATE.trim()));
});
