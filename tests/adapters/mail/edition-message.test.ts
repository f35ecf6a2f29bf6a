import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { composeEdition } from '~/server/adapters/mail/bulk/edition-message';
import type { EditionRecipient } from '~/server/adapters/mail/bulk/message';
import { escapeHtml } from '~/server/base/html';
import { sampleEdition, sampleRecipient } from './sample-edition';

const bytesOf = (edition = sampleEdition(), recipient = sampleRecipient()) =>
  Promise.resolve(composeEdition(edition)(recipient).bytes());
const parse = async (...given: Parameters<typeof bytesOf>) => PostalMime.parse(await bytesOf(...given));
const withValues = (values: EditionRecipient['values']) => sampleRecipient({ values });
const headersOf = (email: { headers: { key: string; value: string }[] }) =>
  Object.fromEntries(email.headers.map(({ key, value }) => [key, value]));

const HOSTILE: [label: string, value: string][] = [
  ['another header', 'Ana\r\nBcc: everyone@reader.example'],
  ['a second paragraph', 'Ana\n\nBody'],
  ['a bare CR', 'Ana\rX: 1'],
  ['other line breaks', 'Ana\u2028\u0085\0Bcc: a@b.example'],
  ['a merge field', '{{unsubscribe}}'],
  ['an encoded word', '=?UTF-8?B?QW5h?='],
  ['two addresses', '"Ana" <ana@other.example>, b@other.example'],
  ['a script', '<script>alert(1)</script>'],
  ['a long name', `O'Brien & "Söhne" \\ ${'ñandú 🎙️ '.repeat(40)}`],
  ['a long word', 'x'.repeat(3000)],
  ['a dot', '.'],
  ['a command', '..\r\n.\r\nMAIL FROM:<>'],
  ['a boundary', '--=_boundary--'],
  ['white space', 'a=\r\nb = c  d\t '],
  ['half a character', '\ud800'],
];

test('an edition has the headers of a newsletter, and the same bytes each time', async () => {
  const email = await parse();

  expect(email.from).toEqual({ name: 'Lucía', address: 'lucia@mail.altavoz.example' });
  expect(headersOf(email)).toEqual({
    from: '=?UTF-8?B?THVjw61h?= <lucia@mail.altavoz.example>',
    'reply-to': 'lucia@her.example',
    to: 'Ana <ana@reader.example>',
    subject: 'Un episodio nuevo',
    date: 'Fri, 27 Nov 2026 08:00:00 +0000',
    'message-id': '<e7-c1@mail.altavoz.example>',
    'list-id': '=?UTF-8?B?w4lsIHkgZWxsYQ==?= <el-y-ella.lists.altavoz.example>',
    'list-unsubscribe':
      '<https://altavoz.example/unsubscribe/abc?from=7>, <mailto:unsubscribe+abc@mail.altavoz.example?subject=unsubscribe>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'feedback-id': 'edition-7:creator-3:newsletter:altavoz',
    precedence: 'bulk',
    'mime-version': '1.0',
    'content-type': expect.stringMatching(/^multipart\/alternative; boundary="=_[0-9a-f]{32}"$/),
  });
  expect(await bytesOf()).toEqual(await bytesOf());
});

test('an automatic email asks for no automatic answer', async () => {
  const email = await parse(sampleEdition({ isAutomatic: true }));

  expect(headersOf(email)).toMatchObject({ 'auto-submitted': 'auto-generated' });
});

test('values are escaped for where they are, and a fallback replaces empty ones', async () => {
  const named = await parse(sampleEdition({ subject: 'Para {{ NAME | ti }}: ñ' }), withValues({ name: 'A & <B>' }));
  const unnamed = await parse(sampleEdition({ subject: 'Para {{name|ti}}' }), withValues({ name: ' ' }));
  const unknown = await parse(sampleEdition({ subject: '{{other}} {{name}' }));

  expect(named.subject).toBe('Para A & <B>: ñ');
  expect(named.text).toContain('Hola A & <B>:\n');
  expect(named.html).toContain('<p>Hola A &amp; &lt;B&gt;:</p>');
  expect(unnamed.subject).toBe('Para ti');
  expect(unnamed.html).toContain('<p>Hola amiga:</p>');
  expect(unknown.subject).toBe('{{other}} {{name}');
});

test.each(HOSTILE)('%s in a value stays text, in headers and in the body', async (_, value) => {
  const edition = sampleEdition({
    subject: 'Hola {{name}}',
    text: '{{name}}',
    html: '<b title="{{name}}">{{name}}</b>',
  });
  const recipient = sampleRecipient({ to: { name: value, address: 'ana@reader.example' }, values: { name: value } });
  const usual = headersOf(await parse());
  const email = await parse(edition, recipient);
  const oneLine = value
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed();

  expect(Object.keys(headersOf(email))).toEqual(Object.keys(usual));
  expect(email.to).toEqual([{ name: oneLine.replace(/ {2,}/g, ' '), address: 'ana@reader.example' }]);
  expect(email.subject).toBe(`Hola ${oneLine.replace(/ {2,}/g, ' ')}`);
  expect(email.text?.trim()).toBe(oneLine);
  expect(email.html).toContain(`<b title="${escapeHtml(oneLine)}">`);
  expect(email.attachments).toEqual([]);
});

test.each(HOSTILE)('all lines are short ASCII lines that need no dot-stuffing, with %s', async (_, value) => {
  const edition = sampleEdition({
    subject: `{{name}} ${value}`,
    text: `${value}\nFrom me\n.\n{{name}}\n{{name}}.${value}`,
    html: `<p>${value}</p>   \n{{name}}\t\n\n`,
    list: { name: value, id: 'list.altavoz.example' },
    from: { name: value, address: 'lucia@mail.altavoz.example' },
  });
  const recipient = sampleRecipient({ to: { name: value, address: 'ana@reader.example' }, values: { name: value } });
  const written = (await bytesOf(edition, recipient)).toString('latin1');
  const lines = written.split('\r\n');
  const body = written.slice(written.indexOf('\r\n\r\n') + 4);

  expect(written).toMatch(/^[\r\n\x20-\x7e]*\r\n$/);
  expect(lines.join('')).not.toMatch(/[\r\n]/);
  expect(lines.filter((line) => line.length > 998 || line.startsWith('.') || line.startsWith('From '))).toEqual([]);
  expect(body.split('\r\n').filter((line) => line.length > 76 || / {2}|[ \t]$/.test(line))).toEqual([]);
});

test('the body reads as it was written', async () => {
  const text = `¡Hola! ${'Una línea muy larga con eñes y 🎙️. '.repeat(30)}\n\n.\n..\nFrom x\n a  b\t\n=3D\n{{name}}{{name}}\n{{name}}fin`;
  const email = await parse(sampleEdition({ text, fields: ['name'] }), withValues({ name: 'Ñ' }));

  expect(email.text).toBe(`${text.replaceAll('{{name}}', 'Ñ')}\n`);
});

test('long subjects are folded', async () => {
  const subject = 'A very long subject in plain letters '.repeat(20).trim();
  const email = await parse(sampleEdition({ subject }));

  expect(email.subject).toBe(subject);
});

test('an address outside ASCII keeps its name, and its domain is written in ASCII', async () => {
  const bytes = await bytesOf(undefined, sampleRecipient({ to: { name: '', address: 'josé@ñandú.example' } }));

  expect(bytes.toString()).toContain('\r\nTo: josé@xn--and-6ma2c.example\r\n');
});

test.each<[string, Partial<EditionRecipient>]>([
  ['an address with a line break', { to: { name: '', address: 'ana@reader.example\r\nBcc: b@b.example' } }],
  ['two addresses', { to: { name: '', address: 'a@a.example,b@b.example' } }],
  ['a name in the address', { to: { name: '', address: 'Ana <ana@reader.example>' } }],
  ['a message id with a line break', { messageId: 'a@b.example>\r\nX: 1' }],
  ['a script to unsubscribe', { unsubscribe: { url: 'javascript:alert(1)', mailto: 'mailto:a@b.example' } }],
  ['an address to unsubscribe with a line break', { unsubscribe: { url: 'https://a/\r\nX: 1', mailto: 'mailto:a@b' } }],
  ['an endless address', { unsubscribe: { url: `https://a/${'a'.repeat(999)}`, mailto: 'mailto:a@b' } }],
])('%s is rejected when the message is built', (_, changes) => {
  const message = composeEdition(sampleEdition())(sampleRecipient(changes));

  expect(() => message.bytes()).toThrow(/^not a/);
});

test('a feedback id, list id or sender that could break out of its header is rejected at once', () => {
  const edition = sampleEdition();

  expect(() => composeEdition({ ...edition, feedbackId: 'a\r\nX: 1' })).toThrow('not a value');
  expect(() => composeEdition({ ...edition, list: { name: '', id: 'a>\r\nX: 1' } })).toThrow('not a value');
  expect(() => composeEdition({ ...edition, from: { name: 'x', address: 'a@b\r\nX: 1' } })).toThrow('not an address');
});
