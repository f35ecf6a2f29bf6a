import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readDmarcReport } from '~/server/bounces/dmarc-report';
import { readMessage } from '~/server/bounces/read-message';
import { MAX_UNPACKED, unpackReport } from '~/server/bounces/unpack-report';
import { unzipReport } from '~/server/domain/newsletter/unzip-report';
import { writeDirectory, writeEntry } from '~/server/zip/write-zip';

const NOW = new Date('2026-11-27T09:00:00Z');
const record = (
  ip: string,
  count: number | string,
  dkim: string,
  spf: string,
) => `<record><row><source_ip>${ip}</source_ip>
<count>${count}</count><policy_evaluated><disposition>none</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>
</policy_evaluated></row><identifiers><header_from>altavoz.example</header_from></identifiers></record>`;
const ROWS = record('192.0.2.1', 90, 'pass', 'pass') + record('192.0.2.9', 7, 'fail', 'fail');
function xml({ rows = ROWS, head = '', feedback = 'feedback', begin = '1795564800', end = '1795651199' } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${head}
<${feedback}><report_metadata><org_name>Provider &amp; Co</org_name><email>noreply@provider.example</email>
<report_id>7512</report_id><date_range><begin>${begin}</begin><end>${end}</end></date_range></report_metadata>
<policy_published><domain>Altavoz.example</domain><p>none</p></policy_published>${rows}</feedback>`;
}
const REPORT = {
  ...{ domain: 'altavoz.example', org: 'Provider & Co', reportId: '7512', messages: 97, passed: 90 },
  ...{ beginsAt: new Date('2026-11-25T00:00:00Z'), endsAt: new Date('2026-11-25T23:59:59Z') },
  ...{ dkimPassed: 90, spfPassed: 90, otherSources: 0 },
  sources: [
    { ip: '192.0.2.1', messages: 90, passed: 90 },
    { ip: '192.0.2.9', messages: 7, passed: 0 },
  ],
};

test('a report is summed up by source, and either DKIM or SPF is enough to pass', () => {
  expect(readDmarcReport(xml(), NOW)).toEqual(REPORT);

  const rows = record('192.0.2.1', 3, 'pass', 'fail') + record('2001:DB8::1', 2, 'fail', 'pass');
  expect(readDmarcReport(xml({ rows: rows + record('192.0.2.1', 1, 'fail', 'fail') }), NOW)).toMatchObject({
    ...{ messages: 6, passed: 5, dkimPassed: 3, spfPassed: 2 },
    sources: [
      { ip: '192.0.2.1', messages: 4, passed: 3 },
      { ip: '2001:db8::1', messages: 2, passed: 2 },
    ],
  });
});

test.each([
  ['the namespace of RFC 7489', { feedback: 'feedback xmlns="http://dmarc.org/dmarc-xml/0.1"' }],
  ['the namespace of its successor', { feedback: 'feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0"' }],
])('a report with %s is read', (_, given) => {
  expect(readDmarcReport(xml(given), NOW)).toEqual(REPORT);
});

test.each<[string, string]>([
  ['no XML', 'hello'],
  ['another document', '<rss><channel/></rss>'],
  ['no rows', xml({ rows: '' })],
  ['no count', xml({ rows: record('192.0.2.1', '', 'pass', 'pass') })],
  ['a negative count', xml({ rows: record('192.0.2.1', -5, 'pass', 'pass') })],
  ['an address that is none', xml({ rows: record('<b>', 1, 'pass', 'pass') })],
  ['an end before its start', xml({ end: '1795000000' })],
  ['a year as its period', xml({ begin: '1764028800' })],
  ['a time in the future', xml({ begin: '1826928000', end: '1827014400' })],
  ['a domain that is none', xml().replace('Altavoz.example', '<script>')],
  ['no id', xml().replace('7512', '')],
])('a report with %s is none', (_, text) => {
  expect(readDmarcReport(text, NOW)).toBe(null);
});

test('entities of a document are not expanded', () => {
  const head = `<!DOCTYPE x [<!ENTITY a "${'9'.repeat(1000)}"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  const text = xml({ head, rows: ROWS }).replace('Provider &amp; Co', 'x&b;&f;');

  expect(readDmarcReport(text, NOW)?.org.length ?? 0).toBeLessThan(20);
});

test('thousands of sources are listed up to a limit, and their sums are complete', () => {
  const rows = Array.from({ length: 5000 }, (_, i) => record(`10.0.${i >> 8}.${i & 255}`, 1, 'pass', 'pass')).join('');

  expect(readDmarcReport(xml({ rows }), NOW)).toMatchObject({ messages: 5000, passed: 5000, otherSources: 4950 });
  const many = Array.from({ length: 25_000 }, () => record('10.0.0.1', 1, 'pass', 'pass')).join('');
  expect(readDmarcReport(xml({ rows: many }), NOW)).toBe(null);
});

async function zip(content: Buffer): Promise<Buffer> {
  const head = { name: 'report.xml', offset: 0, isCompressed: true, at: NOW };
  const chunks: Buffer[] = [];
  const writing = writeEntry(
    head,
    (async function* () {
      yield content;
    })(),
  );
  let step = await writing.next();
  for (; !step.done; step = await writing.next()) chunks.push(step.value);
  for await (const chunk of writeDirectory([{ ...head, ...step.value }], step.value.end)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('gzip, zip and plain XML are unpacked, bombs and broken files are not', async () => {
  const text = Buffer.from(xml());
  const huge = Buffer.alloc(MAX_UNPACKED + 1, 0x20);

  for (const packed of [text, gzipSync(text), await zip(text)])
    expect(await unpackReport(packed, unzipReport)).toBe(xml());
  const bombs = [gzipSync(huge), await zip(huge)];
  const broken = [
    gzipSync(text).subarray(0, 50),
    Buffer.from('PK\x03\x04broken'),
    Buffer.from([0x1f, 0x8b]),
    Buffer.alloc(0),
  ];
  for (const packed of [...bombs, ...broken]) expect(await unpackReport(packed, unzipReport)).toBe(null);
});

function message(to: string, attachment: Buffer | null, type = 'application/gzip'): Buffer {
  const part = attachment
    ? `--b\r\nContent-Type: ${type}; name="r.gz"\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment.toString('base64')}\r\n`
    : '';
  return Buffer.from(
    `From: a@provider.example\r\nTo: ${to}\r\nSubject: Report\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhi\r\n${part}--b--\r\n`,
  );
}

test('a message is a report, or was sent to an address with a tag, or nothing', async () => {
  const packed = gzipSync(xml());

  expect(await readMessage(message('bounces@altavoz.example', packed), { now: NOW, unzip: unzipReport })).toEqual({
    kind: 'dmarc',
    report: REPORT,
    signedBy: null,
  });
  expect(
    await readMessage(message('bounces@altavoz.example', packed, 'application/octet-stream'), {
      now: NOW,
      unzip: unzipReport,
    }),
  ).toMatchObject({
    kind: 'dmarc',
  });
  expect(
    await readMessage(message('Ana <bounces+u.1@altavoz.example>', null), { now: NOW, unzip: unzipReport }),
  ).toEqual({
    kind: 'tagged',
    addresses: ['bounces+u.1@altavoz.example'],
  });
  expect(
    await readMessage(message('bounces@altavoz.example', Buffer.from('x')), { now: NOW, unzip: unzipReport }),
  ).toEqual({ kind: 'other' });
  expect(await readMessage(Buffer.alloc(0), { now: NOW, unzip: unzipReport })).toEqual({ kind: 'other' });
});

test('a message that would cost seconds to read is not read', async () => {
  const report = message('bounces@altavoz.example', gzipSync(xml()));
  const read = (bytes: Buffer) => readMessage(bytes, { now: NOW, unzip: unzipReport });
  const withHeader = (line: string) => Buffer.concat([Buffer.from(line), report]);
  const tags = (count: number) => gzipSync(xml({ head: '', rows: `${ROWS}${'<a/>'.repeat(count)}` }));

  expect(await read(withHeader(`Cc: ${'a,'.repeat(20_000)}b@x.example\r\n`))).toMatchObject({ kind: 'dmarc' });
  expect(await read(withHeader(`Cc: ${'a,'.repeat(40_000)}b@x.example\r\n`))).toEqual({ kind: 'other' });
  expect(await read(Buffer.concat([report, Buffer.from('\r\n--b'.repeat(600))]))).toEqual({ kind: 'other' });
  expect(await read(message('bounces@altavoz.example', tags(1000)))).toMatchObject({ kind: 'dmarc' });
  expect(await read(message('bounces@altavoz.example', tags(130_000)))).toEqual({ kind: 'other' });
});

test('only the first twenty headers with recipients are searched', async () => {
  const tagged = 'bounces+u.1@altavoz.example';
  const before = (count: number) =>
    Buffer.concat([Buffer.from(`To: ${'+'.repeat(1990)}\r\n`.repeat(count)), message(tagged, null)]);
  const read = (bytes: Buffer) => readMessage(bytes, { now: NOW, unzip: unzipReport });

  expect(await read(before(19))).toEqual({ kind: 'tagged', addresses: [tagged] });
  expect(await read(before(20))).toEqual({ kind: 'other' });
});
