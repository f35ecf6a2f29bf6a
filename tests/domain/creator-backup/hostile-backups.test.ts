import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { columnsOf, dataFile } from '~/server/domain/creator-backup/backup-contents';
import { newRow } from '~/server/domain/creator-backup/imported-rows';
import { openCreatorBackup } from '~/server/domain/creator-backup/open-backup';
import { type IdMap, newKey } from '~/server/domain/creator-backup/rules';
import { EXPORTED_TABLES } from '~/server/domain/creator-backup/tables';
import { type RandomAccess, readDirectory } from '~/server/zip/read-zip';
import { type EntryTail, writeDirectory, writeEntry } from '~/server/zip/write-zip';
import { isDeep } from '../../support/deep';
import '../../support/matchers';

const AT = new Date('2026-03-02T09:00:00Z');
const LIMITS = { entries: 1000, directoryBytes: 1_000_000 };

type File = { name: string; content: string | Buffer; isCompressed?: boolean };
type Forged = {
  entry?: (tail: EntryTail & { offset: number }) => Partial<EntryTail & { offset: number; name: string }>;
};

/** A zip with the given entries, even if they are invalid. */
async function zipOf(files: File[], { entry = () => ({}) }: Forged = {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const entries: (EntryTail & { name: string; offset: number; isCompressed: boolean; at: Date })[] = [];
  let offset = 0;
  for (const { name, content, isCompressed = true } of files) {
    const head = { name, offset, isCompressed, at: AT };
    const writing = writeEntry(head, Readable.from([Buffer.from(content)]));
    for (let next = await writing.next(); ; next = await writing.next()) {
      if (next.done) {
        entries.push({ ...head, ...next.value, ...entry({ ...next.value, offset: head.offset }) });
        break;
      }
      chunks.push(next.value);
      offset += next.value.length;
    }
  }
  async function* listed() {
    yield* entries;
  }
  return Buffer.concat([...chunks, await buffer(Readable.from(writeDirectory(listed(), offset)))]);
}

const fileOf = (bytes: Buffer): RandomAccess => ({
  bytes: bytes.length,
  read: async (position, length) => bytes.subarray(position, position + length),
  stream: ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
});

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const MANIFEST = {
  format: 'altavoz-creator',
  version: 1,
  archive: '00000000-0000-4000-8000-000000000000',
  installation: 'https://altavoz.example/',
  createdAt: AT.toISOString(),
  creator: { id: 1, name: 'Lucía', domain: 'lucia' },
  missing: [],
};
const listed = ({ name, content }: File) => ({ name, bytes: Buffer.byteLength(content), sha256: sha256(content) });

/** An archive whose manifest lists its files. */
const backupOf = (files: File[], manifest: object = {}, forged?: Forged) =>
  zipOf(
    [
      ...files,
      { name: 'manifest.json', content: JSON.stringify({ ...MANIFEST, entries: files.map(listed), ...manifest }) },
    ],
    forged,
  );
const open = async (bytes: Buffer | Promise<Buffer>) => openCreatorBackup(fileOf(await bytes));
const readme: File = { name: 'README.txt', content: 'Hello' };

test('an archive that is right is opened', async () => {
  const { manifest, content } = await open(backupOf([readme, { ...readme, name: 'a/b.mp3', isCompressed: false }]));

  expect(manifest.creator.domain).toBe('lucia');
  expect((await buffer(Readable.from(content('README.txt')))).toString()).toBe('Hello');
});

test.each([
  ['an empty file', Buffer.alloc(0), 'archive.not_an_archive'],
  ['text', Buffer.from('not a zip'), 'archive.not_an_archive'],
  ['zeros', Buffer.alloc(100_000), 'archive.not_an_archive'],
  ['another zip', zipOf([readme]), 'archive.not_an_archive'],
  ['another manifest', zipOf([{ name: 'manifest.json', content: '{"name":"x"}' }]), 'archive.not_an_archive'],
  ['a manifest that is no JSON', zipOf([{ name: 'manifest.json', content: '{' }]), 'archive.not_an_archive'],
  [
    'a zip with bytes after its end',
    backupOf([readme]).then((zip) => Buffer.concat([zip, zip.subarray(0, 5)])),
    'archive.bad',
  ],
  ['a later version', backupOf([readme], { version: 2 }), 'archive.other_version'],
  ['absurd counts', backupOf([readme], { entries: [{ ...listed(readme), rows: -1 }] }), 'archive.bad'],
  ['an entry that is not listed', backupOf([readme], { entries: [] }), 'archive.bad'],
  ['a listed entry that is missing', backupOf([], { entries: [listed(readme)] }), 'archive.damaged'],
  [
    'a false checksum',
    backupOf([readme], { entries: [{ ...listed(readme), sha256: sha256('other') }] }),
    'archive.damaged',
  ],
  ['a false size', backupOf([readme], { entries: [{ ...listed(readme), bytes: 6 }] }), 'archive.damaged'],
])('%s is refused', async (_, bytes, code) => {
  await expect(open(bytes)).toFailWith(code);
});

test.each(['../../etc/passwd', '/etc/passwd', 'a/../b', 'C:\\x', 'a\\..\\b', './a', 'a/.', 'a\0b', ''])(
  'the name %j is refused',
  async (name) => {
    await expect(open(backupOf([{ ...readme, name }]))).toFailWith('archive.bad');
  },
);

test('an entry twice, over another, outside the file, or with another size is refused', async () => {
  await expect(open(backupOf([readme, readme]))).toFailWith('archive.bad');
  const two = [readme, { ...readme, name: 'b.txt' }];
  for (const entry of [
    () => ({ offset: 0 }),
    ({ offset }: { offset: number }) => ({ offset: offset + 1_000_000 }),
    ({ bytes }: EntryTail) => ({ bytes: bytes - 1 }),
    ({ bytes }: EntryTail) => ({ bytes: bytes + 1 }),
    ({ storedBytes }: EntryTail) => ({ storedBytes: storedBytes + 1_000_000 }),
    () => ({ crc32: 1 }),
    () => ({ bytes: 2 ** 52, storedBytes: 2 ** 52 }),
  ])
    await expect(open(backupOf(two, {}, { entry }))).rejects.toMatchObject({ kind: 'invalid' });
});

test('a bomb is refused before it is unpacked', async () => {
  const bomb = await zipOf([{ name: 'data/x.json', content: Buffer.alloc(5_000_000) }]);

  await expect(readDirectory(fileOf(bomb), LIMITS)).rejects.toThrow('far larger');
  const hidden = zipOf([{ name: 'data/x.json', content: Buffer.alloc(5_000_000) }], {
    entry: () => ({ bytes: 1000 }),
  });
  await expect(open(hidden)).toFailWith('archive.not_an_archive');
});

const at = { isCompressed: false, at: AT, bytes: 0, storedBytes: 0, crc32: 0, offset: 0 };
async function* entriesOf(count: number) {
  for (let i = 0; i < count; i += 1) yield { ...at, name: `f${i}` };
}

test('more entries than the limit are refused', async () => {
  const directory = fileOf(await buffer(Readable.from(writeDirectory(entriesOf(1001), 0))));

  await expect(readDirectory(directory, LIMITS)).rejects.toThrow('too many');
});

test('a directory that is longer than the limit is refused', async () => {
  const directory = fileOf(await buffer(Readable.from(writeDirectory(entriesOf(100), 0))));

  await expect(readDirectory(directory, { ...LIMITS, directoryBytes: 4000 })).rejects.toThrow('too many');
});

test('an entry over the directory is refused', async () => {
  const bytes = await zipOf([readme], { entry: ({ storedBytes }) => ({ storedBytes: storedBytes + 20 }) });

  await expect(readDirectory(fileOf(bytes), LIMITS)).rejects.toThrow('lies over');
});

test.each([1, 2])('a file is not a bad zip if read %i of it fails', async (failing) => {
  const file = fileOf(await buffer(Readable.from(writeDirectory(entriesOf(2000), 0))));
  const failure = new Error('the disk is gone');
  let reads = 0;
  const read: RandomAccess['read'] = async (...range) => {
    reads += 1;
    if (reads === failing) throw failure;
    return file.read(...range);
  };

  const reading = readDirectory({ ...file, read }, { entries: 1e6, directoryBytes: 1e6 });

  await expect(reading).rejects.toBe(failure);
});

test('entries at one place are refused', async () => {
  const directory = fileOf(await buffer(Readable.from(writeDirectory(entriesOf(2), 0))));

  await expect(readDirectory(directory, LIMITS)).rejects.toThrow('lies over');
});

test.runIf(isDeep)('Zip64 counts more than 65,535 entries', async () => {
  const directory = fileOf(await buffer(Readable.from(writeDirectory(entriesOf(66_000), 0))));

  // the entries are valid, but all at one offset
  await expect(readDirectory(directory, { entries: 1e6, directoryBytes: 1e8 })).rejects.toThrow('lies over');
});

test('Zip64 has entries and places beyond 4 GB', async () => {
  const [first, second] = [4_500_000_000, 10_000];
  const offset = first + second + 200;
  const large = { ...at, bytes: first, storedBytes: first };
  async function* two() {
    yield { ...large, name: 'a.mp3' };
    yield { ...at, name: 'b.mp3', bytes: second, storedBytes: second, offset: first + 100 };
  }
  const directory = await buffer(Readable.from(writeDirectory(two(), offset)));
  // the reader ignores bytes before the directory
  const file = { ...fileOf(directory), bytes: offset + directory.length };
  file.read = async (position, length) =>
    Buffer.concat([
      Buffer.alloc(Math.max(offset - position, 0)),
      directory.subarray(Math.max(position - offset, 0)),
    ]).subarray(0, length);

  const entries = await readDirectory(file, LIMITS);

  expect(entries.map(({ bytes, headerAt }) => [bytes, headerAt])).toEqual([
    [first, 0],
    [second, first + 100],
  ]);
});

test('any damaged byte is noticed', async () => {
  const bytes = await backupOf([readme, { name: 'data/x.json', content: '[\n{"id":1}\n]\n' }]);
  const { manifest } = await open(bytes);

  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 0x55;
    const outcome = await open(changed).catch((error: { kind?: string }) => error.kind);
    // times and versions in headers are harmless
    if (outcome !== 'invalid') expect(outcome, `byte ${at}`).toMatchObject({ manifest });
  }
});

const ids: IdMap = {
  of: (_, old) => (old < 100 ? old + 1000 : undefined),
  creator: (old) => (old === 1 ? 1001 : undefined),
  episode: (old) => (old < 100 ? old + 1000 : undefined),
  owner: 9,
};

test('keys lead to objects of the new creator only', () => {
  const sha = 'a'.repeat(64);
  expect(newKey('audio/1/5/x.mp3', ids)).toBe('audio/1001/1005/x.mp3');
  expect(newKey('audio/1/5/promo/x.mp3', ids)).toBe('audio/1001/1005/promo/x.mp3');
  expect(newKey(`images/7/${sha}/full.jpg`, ids)).toBe(`images/9/${sha}/full.jpg`);
  for (const key of [
    'audio/2/5/x.mp3',
    'audio/1/5/../../2/x.mp3',
    `images/7/../8/${sha}`,
    'exports/x.zip',
    'archives/x/0',
    '',
    'x',
  ])
    expect(newKey(key, ids), key).toBeNull();
});

const tableOf = (name: string) => EXPORTED_TABLES.find((table) => table.name === name)!;
const rowOf = (table: string, over: object) =>
  newRow(
    tableOf(table),
    { ...Object.fromEntries(columnsOf(tableOf(table)).map((column) => [column, null])), id: 1, ...over },
    ids,
  );

test('a consent to be seen reading that a file claims counts as withdrawn', async () => {
  const givenAt = '2026-02-01T10:00:00Z';
  const consent = { contact_id: 1, given_at: givenAt, text: 'She may' };

  expect(await rowOf('tracking_consents', consent)).toMatchObject({ withdrawn_at: givenAt });
  const ended = { withdrawn_at: '2026-02-05T10:00:00Z' };
  expect(await rowOf('tracking_consents', { ...consent, ...ended })).toMatchObject(ended);
});

test('values that no form accepts are refused, or cleaned', async () => {
  const episode = {
    creator_id: 1,
    product_id: 2,
    slug: 'hi',
    description: '<p>Hi</p><script>alert(1)</script><a href="javascript:x">a</a>',
  };
  expect((await rowOf('episodes', episode)).description).toBe('<p>Hi</p><a>a</a>');
  await expect(rowOf('episodes', { ...episode, audio_key: 'audio/2/1/x.mp3' })).toFailWith('archive.unsafe_value');
  await expect(rowOf('episodes', { ...episode, creator_id: 100 })).toFailWith('archive.damaged');
  await expect(rowOf('creators', { user_id: 1, cta_url: ' JavaScript:alert(1)' })).toFailWith('archive.unsafe_value');
  await expect(rowOf('creators', { user_id: 1, button_color: 'red;x' })).toFailWith('archive.unsafe_value');
  await expect(rowOf('episodes', { ...episode, slug: '../x' })).toFailWith('archive.unsafe_value');
  const links = [{ label: 'L', url: 'data:text/html,x' }];
  await expect(rowOf('creators', { user_id: 1, links })).toFailWith('archive.unsafe_value');
  await expect(rowOf('episode_chapters', { episode_id: 1, chapters: [{ imageKey: 'exports/a' }] })).toFailWith(
    'archive.unsafe_value',
  );
  const show = { creator_id: 1, slug: 'hi' };
  for (const benefits of [Array.from({ length: 6 }, () => 'x'), ['x'.repeat(81)], [1], 'x'])
    await expect(rowOf('products', { ...show, benefits })).toFailWith('archive.unsafe_value');
  expect((await rowOf('products', { ...show, benefits: ['x'] })).benefits).toEqual(['x']);
  expect(dataFile('episodes')).toBe('data/episodes.json');
});
