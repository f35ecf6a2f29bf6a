import { expect, test } from 'vitest';
import { containsLink } from '~/server/domain/accounts/base/rules';

test.each([
  'http://evil.example',
  'See HTTPS://Evil.Example/x',
  'ftp://files.example.org',
  'mailto:ana@mail.example',
  'javascript:alert(1)',
  'www.example',
  'my page: example.com',
  'example.com.',
  'tienda.es/oferta',
  'bücher.рф/abc',
  '<a href=x>x</a>',
  '[click](x)',
  '[url=x]x[/url]',
  'ｈｔｔｐ：／／evil',
  'exa\u200bmple\u200b.com',
  'ana@mail.com',
  '192.168.0.1:8080/x',
])('%j contains a link', (text) => {
  expect(containsLink(text)).toBe(true);
});

test.each([
  '',
  'Compongo piezas cortas. Antes afinaba pianos; ahora afino ruidos.',
  'Dos frases.Sin espacio',
  'Versión 2.0.1 de mí',
  'e.g. music, i.e. noise... and so on',
  'Horario: 10:30 a 12:00',
  'Node.js y café con leche',
  '¿Sonido? ¡Sí! 🎙️',
  'A.B. & C. (compañía)',
])('%j contains none', (text) => {
  expect(containsLink(text)).toBe(false);
});
