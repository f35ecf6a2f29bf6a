import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Rooms in their order: each may import only rooms above it (docs/decisions/0002). */
const ROOMS = [
  'notifications',
  'reference',
  'media',
  'accounts',
  'creators',
  'plans',
  'products',
  'episodes',
  'access',
  'audience',
  'coupons',
  'payouts',
  'billing',
  'donations',
  'feeds',
  'listening',
  'analytics',
  'insertions',
  'recommendations',
  'transcription',
  'rss-import',
  'spotify',
  'newsletter',
  'support',
  'pages',
];

/** What a room's tables are called in db/schema, where it is not the room's own name. */
const PURE_BASE = /^locales\/languages$|^server\/(?:limits(?:\/[^/]+)?|money|time|fields|paging)$/;
const PURE_ROOM_FILE = /^server\/domain\/[^/]+\/(?:schema|rules|kinds)$/;
const isPure = (target: string) => PURE_BASE.test(target) || PURE_ROOM_FILE.test(target);
const BANNED = /(?:^|[/-])(?:helpers?|utils?|common|misc|services?|managers?|index)\.tsx?$/;
const LONGEST = 300;
const LONGEST_TEST = 400;
const LONGEST_ROUTE = 150;

type Source = { file: string; text: string; lines: number; imports: { target: string; typeOnly: boolean }[] };

function walk(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return walk(name);
    return /\.tsx?$/.test(name) ? [name] : [];
  });
}

function importsOf(file: string, text: string) {
  const statement = /(?:import|export)\s+(type\s)?([^;'"]*?from\s*)?['"]([^'"]+)['"]/g;
  return [...text.matchAll(statement)].flatMap(([, type, names = '', target = '']) => {
    const inBraces = /\{([^}]*)\}/.exec(names)?.[1];
    const others = names
      .replace(/\{[^}]*\}/, '')
      .replace(/from\s*$/, '')
      .replace(/[,\s]/g, '');
    const allTypes =
      inBraces !== undefined && others === '' && inBraces.split(',').every((n) => /^\s*(?:type\s|$)/.test(n));
    const resolved = target.startsWith('~/')
      ? target.slice(2)
      : target.startsWith('.')
        ? path.posix.normalize(path.posix.join(path.posix.dirname(file), target))
        : null;
    return resolved ? [{ target: resolved, typeOnly: type !== undefined || allTypes }] : [];
  });
}

const sources: Source[] = ['app', 'server', 'db', 'jobs', 'locales', 'tests', 'benchmarks']
  .flatMap(walk)
  .map((file) => {
    const text = fs.readFileSync(file, 'utf8');
    return { file, text, lines: text.split('\n').length, imports: importsOf(file, text) };
  });
const code = sources.filter(({ file }) => !file.startsWith('tests/'));
const room = (file: string) => /^server\/domain\/([^/]+)\//.exec(file)?.[1];

/** Places from which a file imports something it may not; each with a sentence on where that belongs. */
function strays(from: RegExp, allowed: (target: string, source: Source, typeOnly: boolean) => boolean, advice: string) {
  return code
    .filter(({ file }) => from.test(file))
    .flatMap((source) =>
      source.imports
        .filter(({ target, typeOnly }) => !allowed(target, source, typeOnly))
        .map(({ target }) => `${source.file} imports ${target}: ${advice}`),
    );
}

test('a room imports only rooms above it, and nothing of the doors', () => {
  const found = strays(
    /^server\/domain\//,
    (target, source, typeOnly) => {
      const own = room(source.file)!;
      const other = room(target);
      if (other) return ROOMS.indexOf(other) <= ROOMS.indexOf(own);
      if (/^(?:db\/(?:schema|columns|search)|jobs\/catalog|server\/(?:policy|audio)\/)/.test(target)) return true;
      if (PURE_BASE.test(target) || /^server\/(?:ctx|errors)$/.test(target)) return true;
      return typeOnly || target === 'server/auth/passwords';
    },
    'news travels upward by job; what is shared belongs into a room above, or into ctx',
  );

  expect(found).toEqual([]);
});

test('every room stands in the order, and its files have names of the vocabulary', () => {
  const rooms = new Set(code.map(({ file }) => room(file)).filter((name) => name !== undefined));

  expect([...rooms].filter((name) => !ROOMS.includes(name))).toEqual([]);
  expect(code.map(({ file }) => file).filter((file) => BANNED.test(file) && file !== 'db/schema/index.ts')).toEqual([]);
});

test('the browser gets pure files of the server and types, nothing else', () => {
  const found = strays(
    /^app\//,
    (target, { file }, typeOnly) => {
      if (/^(?:app|locales)\//.test(target) || isPure(target) || typeOnly) return true;
      return /\.server\.tsx?$/.test(file) && target.startsWith('server/') === false;
    },
    "values of the server reach pages through Remix's context only",
  );

  expect(found).toEqual([]);
});

test('pure files import pure files', () => {
  const found = strays(
    /^(?:locales\/languages|server\/limits\/.+|server\/(?:limits|money|time|fields|paging)|server\/domain\/[^/]+\/(?:schema|rules|kinds))\.ts$/,
    (target, _, typeOnly) => isPure(target) || typeOnly || /^server\/(?:errors|domain\/[^/]+\/errors)$/.test(target),
    'it is loaded by the browser too',
  );

  expect(found).toEqual([]);
});

test('adapters, sandboxes, the audio engine and the database know nothing of the product', () => {
  const adapters = strays(
    /^server\/adapters\/(?!select-)/,
    (target, { file }) => {
      if (/^server\/adapters\/[^/]+$/.test(path.posix.dirname(file)) && target.startsWith(path.posix.dirname(file)))
        return true;
      return (
        PURE_BASE.test(target) ||
        /^server\/(?:errors|env|log|adapters)(?:\/|$)/.test(target) ||
        !/^server\/adapters\/[^/]+\//.test(file)
      );
    },
    'a port speaks our words but knows no room',
  );
  const audio = strays(/^server\/audio\//, (target) => target.startsWith('server/audio/'), 'the engine is pure');
  const sandbox = strays(
    /^server\/sandbox\//,
    (target, { file }) =>
      target.startsWith(path.posix.dirname(file)) ||
      PURE_BASE.test(target) ||
      /^server\/(?:env|log)(?:\/|$)/.test(target),
    'a sandbox is a stranger spoken to over the wire',
  );
  const db = strays(
    /^db\//,
    (target, _, typeOnly) => target.startsWith('db/') || isPure(target) || typeOnly,
    'the database is below the rooms',
  );

  expect([...adapters, ...audio, ...sandbox, ...db]).toEqual([]);
});

test('job handlers import the domain and the catalog only', () => {
  const found = strays(
    /^jobs\/handlers\//,
    (target, _, typeOnly) => typeOnly || /^(?:server\/domain|server\/ctx|jobs\/catalog|jobs\/handlers)/.test(target),
    'a handler is three lines: the work belongs into a room',
  );

  expect(found).toEqual([]);
});

test('a room writes only its own tables', () => {
  const owners = new Map<string, string>();
  for (const { file, text } of code) {
    const schema = /^db\/schema\/(.+)\.ts$/.exec(file)?.[1];
    if (schema) for (const [, table] of text.matchAll(/export const (\w+) = pgTable/g)) owners.set(table!, schema);
  }
  const found = code.flatMap(({ file, text }) => {
    const own = room(file);
    if (!own) return [];
    return [...text.matchAll(/\.(?:insert|update|delete)\((\w+)\)/g)]
      .filter(([, table]) => owners.has(table!) && owners.get(table!) !== own)
      .map(([, table]) => `${file} writes ${table}, which belongs to ${owners.get(table!)}`);
  });

  expect(owners.size).toBeGreaterThan(5);
  expect(found).toEqual([]);
});

test('the environment is read in one file, and the domain has no clock of its own', () => {
  const environment = code.filter(
    ({ file, text }) =>
      /^(?:app|server|db|jobs)\//.test(file) && file !== 'server/env.ts' && /process\.env\b/.test(text),
  );
  const clocks = code.filter(({ file, text }) => room(file) && /new Date\(\)|Date\.now\(\)/.test(text));

  expect(environment.map(({ file }) => file)).toEqual([]);
  expect(clocks.map(({ file }) => file)).toEqual([]);
});

test('code asks for a kind’s traits, never for its name', () => {
  const found = code
    .filter(({ file }) => !file.endsWith('/products/kinds.ts') && !/^db\/(?:schema|seed)\//.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/[=!]==?\s*'(?:podcast|audio_series)'/g)].map(([hit]) => `${file}: ${hit}`),
    );

  expect(found).toEqual([]);
});

test('no file is longer than one can read', () => {
  const bound = (file: string) =>
    file.startsWith('tests/') ? LONGEST_TEST : file.startsWith('app/routes/') ? LONGEST_ROUTE : LONGEST;
  const long = sources
    .filter(({ file, lines }) => lines > bound(file))
    .map(({ file, lines }) => `${file}: ${lines} lines`);

  expect(long).toEqual([]);
});
