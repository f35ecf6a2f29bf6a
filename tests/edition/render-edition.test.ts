import { expect, test } from 'vitest';
import { splitAtFields } from '~/server/base/merge-fields';
import { EMAIL_COLOURS } from '~/server/edition/email-look';
import { MERGE_FIELDS } from '~/server/edition/model';
import { renderEmail } from '~/server/edition/render-email';
import { renderWeb, withFallbacks } from '~/server/edition/render-web';
import { EDITION_LIMITS } from '~/server/limits/editions';
import { PICTURE, sampleEdition } from './sample-edition';

test('the plain text of the free part', async () => {
  const { text } = renderEmail(await sampleEdition(), 'free');

  expect(text).toMatchInlineSnapshot(`
    "Lucía <del Mar>

    Cartas & mareas

    Hola {{name|amiga}}:

    El mar

    Un texto con un enlace (https://mar.dev/?a=1&b=2).

    - Uno
    - Dos
      1. Tres

    > Una cita

    [Olas]

    * * *

    El faro
    Mareas · 32 min
    https://altavoz.test/e/7

    Leer más: https://mar.dev/leer

    Compartir: https://altavoz.test/n/7#share

    El resto es para suscriptores.
    Suscribirme para leerlo: https://altavoz.test/subscribe

    --

    Lucía del Mar
    Calle Mayor 1, 28001 Madrid

    No vigilamos tu lectura: este correo no nos dice quién lo abre.

    Ver en el navegador: https://altavoz.test/n/7

    Darme de baja: {{unsubscribe}}
    "
  `);
});

test('the plain text of the paid part goes on instead of inviting', async () => {
  const edition = await sampleEdition({ content: '<p>a</p><hr data-free-end><p>b</p>' });

  expect(renderEmail(edition, 'paid').text).toContain('a\n\nb\n\n--');
  expect(renderEmail(edition, 'free').text).toContain(
    'a\n\nEl resto es para suscriptores.\nSuscribirme para leerlo: https',
  );
});

test('the free part of an edition never contains the paid one', async () => {
  const edition = await sampleEdition();
  const { html, text } = renderEmail(edition, 'free');

  for (const shown of [html, text, renderWeb(edition, 'free')]) expect(shown).not.toContain('Solo para suscriptores');
  for (const shown of [renderEmail(edition, 'paid').html, renderWeb(edition, 'paid')]) {
    expect(shown).toContain('Solo para suscriptores');
    expect(shown).not.toContain('El resto es para suscriptores');
  }
});

test.each([
  ['es', 'Ver en el navegador', 'Darme de baja', 'No vigilamos tu lectura'],
  ['en', 'View in browser', 'Unsubscribe', 'We don’t watch you read'],
])('an email in %s has its language, and a footer with an address and ways out', async (language, ...texts) => {
  const { html } = renderEmail(await sampleEdition({ language }), 'free');

  expect(html).toContain(`<html lang="${language}" dir="ltr"`);
  for (const text of [...texts, 'Lucía del Mar<br>Calle Mayor 1, 28001 Madrid', 'href="https://altavoz.test/n/7"'])
    expect(html).toContain(text);
  expect(splitAtFields(html, MERGE_FIELDS).filter((part) => typeof part !== 'string')).toEqual([
    { field: 'name', fallback: 'amiga' },
    { field: 'unsubscribe', fallback: '' },
  ]);
});

test('an email has tables and styles for clients that drop ours, and a dark scheme', async () => {
  const { html, bytes } = renderEmail(await sampleEdition(), 'free');

  expect(bytes).toBe(Buffer.byteLength(html));
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html).toContain('[data-ogsc] .ink');
  expect(html).toContain('<h1 dir="auto" style="');
  expect(html).not.toMatch(/<(?:p|h3|li|ul|blockquote)>/);
  expect(html.match(/<table /g)).toHaveLength(html.match(/<\/table>/g)!.length);
  expect(html.match(/<img /g)).toHaveLength(html.match(/<img [^>]*alt="/g)!.length);
  expect(html).toContain(
    `<img class="well soft" src="https://altavoz.test${PICTURE}" alt="Olas" width="536" height="268"`,
  );
});

test('links are counted, but not those to unsubscribe, to the browser or to an address', async () => {
  const content = '<p><a href="https://mar.dev/?a=1&amp;b=2">a</a> <a href="mailto:ana@mar.dev">b</a></p>';
  const { html } = renderEmail(await sampleEdition({ content }), 'free');

  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  const counted = 'https://altavoz.test/c?to=https%3A%2F%2Fmar.dev%2F%3Fa%3D1%26b%3D2';
  expect(hrefs).toEqual([counted, 'mailto:ana@mar.dev', 'https://altavoz.test/n/7', '{{unsubscribe}}']);
});

test('only readers who allowed it are told nothing about being watched', async () => {
  const edition = await sampleEdition({ isTracked: true });

  expect(renderEmail(edition, 'free').html).not.toContain(edition.words.untracked);
});

test('texts of creators are escaped, wherever they are', async () => {
  const evil = '"><script>alert(1)</script>';
  const sample = await sampleEdition({ title: evil, preheader: evil });
  const edition = {
    ...sample,
    publication: { ...sample.publication, name: evil, header: evil, footer: evil, logo: evil },
    episodes: new Map([[7, { title: evil, show: evil, cover: evil, minutes: 1, href: evil }]]),
  };

  for (const html of [renderEmail(edition, 'free').html, renderWeb(edition, 'free')])
    expect(html).not.toContain('<script');
});

test('text from right to left has its quotations and table on that side', async () => {
  const { html } = renderEmail(await sampleEdition({ language: 'ar' }), 'free');

  expect(html).toContain('<html lang="ar" dir="rtl"');
  expect(html).toContain(`border-right:3px solid ${EMAIL_COLOURS.line}`);
});

test('buttons without a target and cards of unknown episodes are left out', async () => {
  const content = '<p data-button="donate"></p><p data-button="custom"><a>Read</a></p><div data-episode="8"></div>';
  const edition = await sampleEdition({ content });

  expect(renderWeb(edition, 'free')).toBe('');
  expect(renderEmail(edition, 'free').html).not.toContain('Read');
});

test('a page has no styles and no fields', async () => {
  const html = renderWeb(await sampleEdition(), 'free');

  expect(html).not.toContain('style=');
  expect(html).toContain('<p dir="auto">Hola amiga:</p>');
  expect(html).toContain(
    '<div data-card=""><img src="https://altavoz.test/c.jpg" alt="" width="96" height="96" loading="lazy">',
  );
  expect(withFallbacks('Hola, {{name}}{{unsubscribe}}{{x}}')).toBe('Hola, {{x}}');
});

test('a field that begins in one element and ends in another stays text', async () => {
  const content = '<p>a {{name|b</p><ul><li>c}} d</li></ul><p>{{ name | e }}</p>';
  const { html } = renderEmail(await sampleEdition({ content }), 'free');

  const fields = splitAtFields(html, ['name']).filter((part) => typeof part !== 'string');
  expect(fields).toEqual([{ field: 'name', fallback: 'e' }]);
});

test('the text that an email may have fits into what Gmail shows', async () => {
  const content = `<p>${'Una frase que dice algo. '.repeat(800)}</p>`.repeat(3);
  const { bytes } = renderEmail(await sampleEdition({ content }), 'free');

  expect(bytes).toBeLessThan(EDITION_LIMITS.maxBytes);
});
