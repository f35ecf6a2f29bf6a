import { expect, test } from 'vitest';
import { isLeftOut } from '~/server/domain/audience/read-contacts';
import { readContactFile } from '../../support/contact-files';
import { seededInts } from '../../support/seeded-ints';

const NAMES = 'email,name,since,tags,status';
const row = (i: number) => `p${i}@example.com,Ana ${i},2024-01-0${(i % 9) + 1},"VIP, T${i}",active`;
const ROWS = Array.from({ length: 12 }, (_, i) => row(i + 1));

/** What people, programs and attackers put where a row should be. */
const BAD_ROWS = [
  ...[
    '',
    ' ',
    ',',
    ',,,,',
    '"',
    '""',
    '"""',
    '","',
    '"\t',
    "'",
    '\\',
    '\\"',
    ';;;;',
    '\t\t\t\t',
    '|',
    '#',
    '--',
    'null',
    'NULL',
  ],
  ...[
    'undefined',
    'email',
    'name,email',
    NAMES,
    'Total,12',
    '12 contacts',
    '<html>',
    '<tr><td>a@b.com</td></tr>',
    '{"a":1}',
    '[]',
  ],
  ...[
    'PK\u0003\u0004',
    '%PDF-1.7',
    '\u0000',
    '\u0000,\u0000',
    '\ufeff',
    '\ufffd',
    '\u202e',
    '\u2028',
    '\u0085',
    '\v',
    '\f',
    '\u001b[31m',
  ],
  ...['=1+1', '+1', '-1', '@a', '=HYPERLINK("http://x","y")', "=cmd|' /C calc'!A0", '＝1+1', "'=1", '"=1+1",x'],
  ...[
    'a@',
    '@b',
    'a@b',
    'a@@b.com',
    'a b@c.com',
    'a@b..com',
    '.a@b.com',
    'a.@b.com',
    'a@-b.com',
    'a@b.c',
    '<a@b',
    'a@b.com>',
  ],
  ...[
    'a@b.com;c@d.com',
    'a@b.com c@d.com',
    '"a@b.com\nc@d.com"',
    'a@b.com\u0000',
    'ñ@b.com',
    'a@ñ.com',
    'a@b.com,"',
    'a,b@c.com',
  ],
  ...[
    "a@b.com'; drop table contacts; --",
    '{{unsubscribe}}',
    '$' + '{jndi:ldap://x}',
    '../../etc/passwd',
    'javascript:alert(1)',
    '%00',
  ],
  ...[
    'x'.repeat(999),
    'x'.repeat(1001),
    ','.repeat(99),
    ','.repeat(101),
    '"'.repeat(99),
    '"'.repeat(100),
    `"${'x'.repeat(2000)}"`,
  ],
  ...[
    'x'.repeat(200_000),
    ','.repeat(200_000),
    `"${'y\n'.repeat(20)}`,
    `"${'"",'.repeat(50)}`,
    'z,'.repeat(90),
    '"a"b"c",d',
    'a"b,"c',
  ],
];

/** Each at the begin, in the middle and at the end of the file, with two kinds of line ends: more than 500 files. */
const PLACES = [
  ['first', 0],
  ['middle', 6],
  ['last', 12],
] as const;

test.each(PLACES.flatMap(([name, at]) => ['\n', '\r\n'].map((end) => [name, at, end] as const)))(
  'a bad %s row (at %i, ends with %j) costs no other row',
  async (_, at, end) => {
    for (const bad of BAD_ROWS) {
      const text = [NAMES, ...ROWS.slice(0, at), bad, ...ROWS.slice(at)].join(end);

      const lines = await readContactFile(text, 4096);
      const emails = lines.flatMap((line) => (isLeftOut(line) ? [] : [line.email]));

      expect(
        emails.filter((email) => /^p\d+@/.test(email)),
        JSON.stringify(bad.slice(0, 40)),
      ).toHaveLength(12);
    }
  },
);

const INSERTED = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\u0000',
  '\\',
  "'",
  '=',
  '<',
  '\u2028',
  '\ud800',
  'ñ',
  '@',
  ' ',
  '\r',
  '\n',
];

test('5,000 changes of one character cost the changed row only', async () => {
  const pick = seededInts(35);
  for (let i = 0; i < 5000; i += 1) {
    const changed = pick(ROWS.length);
    const old = ROWS[changed]!;
    const at = pick(old.length + 1);
    const text = old.slice(0, at) + INSERTED[pick(INSERTED.length)]! + old.slice(at + pick(2));
    const file = [NAMES, ...ROWS.slice(0, changed), text, ...ROWS.slice(changed + 1)].join('\n');

    const lines = await readContactFile(file, 4096);
    const read = lines.flatMap((line) =>
      isLeftOut(line) ? [] : [`${line.email} ${line.name} ${line.tags.join()} ${line.since}`],
    );
    const others = ROWS.flatMap((_, place) => {
      const n = place + 1;
      return place === changed ? [] : [`p${n}@example.com Ana ${n} VIP,T${n} 2024-01-0${(n % 9) + 1}`];
    });

    expect(read, file).toEqual(expect.arrayContaining(others));
    expect(lines.length, file).toBeGreaterThanOrEqual(ROWS.length);
  }
});

const MEGABYTE = 1_000_000;
test.each([
  ['a cell', 'x'],
  ['a cell in quotes that never end', '"'],
  ['cells', ','],
])('100 MB in one line, of %s, cost that line only', async (_, begin) => {
  const line = Buffer.alloc(100 * MEGABYTE, begin === ',' ? ',' : 'x');
  line.write(begin);
  const file = Buffer.concat([
    Buffer.from('email,name\nana@mail.example,Ana\n'),
    line,
    Buffer.from('\nzoe@mail.example,Zoe\n'),
  ]);

  const lines = await readContactFile(file, MEGABYTE);

  expect(lines.map((read) => (isLeftOut(read) ? read.fault : read.email))).toEqual([
    'ana@mail.example',
    'unreadable',
    'zoe@mail.example',
  ]);
});

test.each<[string, Buffer]>([
  ['Windows-1252', Buffer.from('inés@mail.example,Inés\n', 'latin1')],
  // its own line break would have half of itself in the next row
  ['UTF-16', Buffer.concat([Buffer.from('ines@mail.example,Inés', 'utf16le'), Buffer.from('\n')])],
  ['a broken character', Buffer.from([0xc3, 0x2c, 0xe2, 0x82, 0x0a])],
])('a row in %s within a file in UTF-8 costs no other row', async (_, row) => {
  const file = Buffer.concat([Buffer.from(`${NAMES}\n${ROWS.join('\n')}\n`), row, Buffer.from(`${ROWS.at(-1)}\n`)]);

  const lines = await readContactFile(file);

  const emails = lines.flatMap((line) => (isLeftOut(line) ? [] : [line.email]));
  expect(emails.filter((email) => /^p\d+@/.test(email))).toHaveLength(ROWS.length + 1);
});
