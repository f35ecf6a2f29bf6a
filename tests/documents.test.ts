import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sources } from './support/sources';

const ROOT_FOLDERS = [
  '.ci',
  'app',
  'benchmarks',
  'content',
  'db',
  'deploy',
  'docs',
  'jobs',
  'locales',
  'packages',
  'public',
  'scripts',
  'server',
  'tests',
];
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'STYLE.md',
  'CONTRIBUTING.md',
  ...readmesOf('server'),
  ...readmesOf('db'),
  ...readmesOf('packages'),
  ...[
    'audio-engine',
    'benchmarks',
    'content',
    'counting',
    'operations',
    'spotify',
    'stripe',
    'stripe-sandbox',
    'transcription',
  ].map((name) => `docs/${name}.md`),
];
/** The maps of rooms and drivers. */
function readmesOf(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /(?:^|\/)README\.md$/.test(name)).map((name) => `${folder}/${name}`);
}

const DECISIONS = fs
  .readdirSync('docs/decisions')
  .filter((name) => /^\d{4}-/.test(name))
  .map((name) => `docs/decisions/${name}`);
const numberOf = (decision: string) => path.basename(decision).slice(0, 4);

/** Paths that exist only at run time, or beside the checkout. */
const ELSEWHERE = /^(?:\.data\/|shared\/|INDEX\.md$)/;
/** Names in decisions that are not our paths: packages, keys, dates, media types, files of other systems. */
const NO_PATH =
  /^(?:@|remix-i18next\/|api\/|DATA_DIR\/|\d|application\/|multipart\/|Spotify\/|\w+\/\{\w+\}$|(?:googlebot|manifest|server)\.json$)/;

const files = [
  ...ROOT_FOLDERS.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
  ...ROOT_FOLDERS,
  ...fs.readdirSync('.'),
].map((name) => `/${name}`);
const withoutEnding = files.map((name) => name.replace(/(?:\.(?:test|spec))?\.\w+$/, ''));
const prose = (document: string) => fs.readFileSync(document, 'utf8').replace(/^```.*?^```/gms, '');
const quotedIn = (document: string) => [...prose(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

/** The paths that `a/{b,c}`, `a/<room>.ts` or `a/*` match; other segments may precede them. */
function exists(written: string): boolean {
  const braces = /\{([\w,]+)\}/.exec(written);
  if (braces) return braces[1]!.split(',').every((one) => exists(written.replace(braces[0], one)));
  if (!/[*<]/.test(written)) return [...files, ...withoutEnding].some((name) => name.endsWith(`/${written}`));
  const pattern = written
    .replace(/\/\*$/, '')
    .split(/\*|<\w+>/)
    .map((part) => part.replace(/[.+?^$()|[\]\\]/g, '\\$&'))
    .join('[\\w.-]*');
  return files.some((name) => new RegExp(`/${pattern}(?:\\.\\w+)?$`).test(name));
}

const isPath = (text: string) =>
  /^[\w@.-]+(?:\/[\w.@{},*<>-]+)+\/?$|^[\w-]+\.(?:tsx?|mjs|md|json|css)$/.test(text) &&
  !ELSEWHERE.test(text) &&
  !NO_PATH.test(text);

test.each([...DOCUMENTS, ...DECISIONS])('every path and command that %s names exists', (document) => {
  const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  const commands = [...fs.readFileSync(document, 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  const links = [...prose(document).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target = '']) => target);

  const paths = quotedIn(document)
    .filter(isPath)
    .map((text) => text.replace(/\/$/, '').replace(/^(?:\.\.\/)+/, ''));

  expect(paths.filter((text) => !exists(text))).toEqual([]);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  expect(links.filter((target) => !fs.existsSync(path.join(path.dirname(document), target)))).toEqual([]);
});

test('every test that the description of the counting names is in its file', () => {
  const rows = [...prose('docs/counting.md').matchAll(/`(tests\/[\w./-]+)`((?: “[^”]+”,?)*)/g)];
  const missing = rows.flatMap(([, file = '', titles = '']) => {
    const text = fs.readFileSync(file, 'utf8').replaceAll("\\'", "'");
    return [...titles.matchAll(/“([^”]+)”/g)].filter(([, title = '']) => !text.includes(title)).map(([title]) => title);
  });

  expect(rows.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('every decision that is named has a record', () => {
  const texts = [...sources.map(({ text }) => text), ...[...DOCUMENTS, ...DECISIONS].map(prose)];
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\bdecisions?[ /]((?:\d{4}(?:, | and )?)+)/g)].flatMap(
      ([, list = '']) => list.match(/\d{4}/g) ?? [],
    ),
  );
  const recorded = new Set(DECISIONS.map(numberOf));

  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((number) => !recorded.has(number))).toEqual([]);
});

test('a decision that is superseded says so below its title, and names a later one', () => {
  const marks = DECISIONS.flatMap((file) => {
    const lines = prose(file).split('\n');
    return lines.flatMap((line, at) => (/^\W*(?:partly )?superseded/i.test(line) ? [{ file, line, at }] : []));
  });
  const isRight = ({ file, line, at }: (typeof marks)[number]) => {
    const later = line.match(/\b\d{4}\b/g) ?? [];
    return (
      at === 2 &&
      /^(?:Partly s|S)uperseded by \d{4}.*\.$/.test(line) &&
      later.every((number) => number > numberOf(file) && DECISIONS.some((other) => numberOf(other) === number))
    );
  };

  expect(marks.length).toBeGreaterThan(10);
  expect(marks.filter((mark) => !isRight(mark))).toEqual([]);
});

test('the list of decisions has every record once, by its title, with the later ones that supersede it', () => {
  const listed = prose('docs/decisions/README.md').split('\n');

  const expected = DECISIONS.map((file) => {
    const [title = '', , mark = ''] = prose(file).split('\n');
    const later = /^(?:partly )?superseded by/i.exec(mark)?.[0].toLowerCase();
    const suffix = later ? ` (${later} ${mark.match(/\b\d{4}\b/g)?.join(', ')})` : '';
    return `- [${numberOf(file)}](${path.basename(file)}) ${title.slice('# 0000. '.length)}${suffix}`;
  });

  expect(listed.filter((line) => line.startsWith('- ')).sort()).toEqual(expected.sort());
});
