import fs from 'node:fs';
import { expect, test } from 'vitest';
import { PRODUCTION_PACKAGES } from '~/scripts/bundle.mjs';
import { FEATURES, LAYERS, ROOM_OF_SCHEMA, ROOMS } from './rooms';
import { code, forbiddenImports, groupOf, importCycles, isTest, roomOf, sources } from './support/sources';
import { PACKAGES } from './support/workspace-packages';

const ROOM_ORDER = Object.keys(ROOMS);

const PURE_BASE =
  /^locales\/languages$|^db\/values\/.+|^server\/(?:limits(?:\/[^/]+)?|base\/(?:addresses|cut-text|retries|consent|csv|database-errors|mail-status|merge-fields|written-dates|formats|money|normalized|sending-records|time|typed-numbers|turns|clock|fields|paging|html|(?:account|public)-paths)|flow\/open-once|policy\/(?:roles|studio-pages|capabilities)|audio\/(?:bytes|container|frames|frame-header|id3)|edition\/model|transcript\/(?:model|words|edit-cues|glossary|quotes|common-lines|heard)|feed\/apple-categories)$/;
const PURE_ROOM_FILE =
  /^server\/domain\/(?:(?:[^/]+\/){1,2}(?:schema|rules|kinds)|reference\/directories|media\/audio-formats)$/;
const isPure = (target: string) => PURE_BASE.test(target) || PURE_ROOM_FILE.test(target);
const MAX_LINES = 300;
const MAX_TEST_LINES = 400;
const MAX_ROUTE_LINES = 150;

/** The layer of a file, with or without its extension; -1 for tests and benchmarks. */
const layerOf = (file: string) =>
  Object.values(LAYERS).findIndex((layer) => layer.test(file.replace(/\.(?:tsx?|json)$/, '')));

test('a file imports only its own layer and those below it, types included', () => {
  const product = /^(?:app|server|db|jobs|locales)\//;
  const found = forbiddenImports(
    product,
    (target, { file }) => layerOf(target) <= layerOf(file),
    `the order is ${Object.keys(LAYERS).join(' → ')}: move the type or value down, or pass it in`,
  );

  expect(code.filter(({ file }) => product.test(file) && layerOf(file) < 0).map(({ file }) => file)).toEqual([]);
  expect(found).toEqual([]);
});

test('a room imports only the rooms above it, and no door', () => {
  const found = forbiddenImports(
    /^server\/domain\//,
    (target, source, typeOnly) => {
      const own = roomOf(source.file)!;
      const other = roomOf(target);
      if (other) return ROOM_ORDER.indexOf(other) <= ROOM_ORDER.indexOf(own);
      if (
        /^(?:db\/(?:schema|values|columns|driver\/(?:deadlocks|plain-array|prepared-select)|search|slug-history|milestones)|server\/(?:policy|agents|alignment|audio|bounces|content|edition|feed|sending-domains|transcript|zip|queue)\/)/.test(
          target,
        )
      )
        return true;
      if (
        PURE_BASE.test(target) ||
        /^server\/(?:runtime\/ctx|base\/(?:errors|safe-html|recommended-visits|file-signatures|read-csv|split-csv|read-lines|text-encoding)|flow\/(?:slots|group-commit|shared-work|timed-answer))$/.test(
          target,
        )
      )
        return true;
      return typeOnly || /^server\/auth\/(?:api-tokens|passwords|token-hash|totp)$/.test(target);
    },
    'notify a later room through a job; move shared code to an earlier room or to ctx',
  );

  expect(found).toEqual([]);
});

test('the browser loads only types and pure files of the server', () => {
  const found = forbiddenImports(
    /^app\//,
    (target, { file }, typeOnly) => {
      if (/^(?:app|locales)\//.test(target) || isPure(target) || typeOnly) return true;
      return /\.server\.tsx?$/.test(file) && target.startsWith('server/') === false;
    },
    "pages get server values through Remix's context only",
  );

  expect(found).toEqual([]);
});

test('a feature imports another feature only where the list allows it', () => {
  const featureOf = (file: string) => /^app\/features\/[^/]+\/([^/]+)\//.exec(file)?.[1];
  const found = forbiddenImports(
    /^app\/features\//,
    (target, { file }) => {
      const [own, other] = [featureOf(file)!, featureOf(target)];
      return other === undefined || other === own || (FEATURES[own] ?? []).includes(other);
    },
    'share it through app/components or app/lib, or add the pair to FEATURES',
  );
  const used = new Set(
    code.flatMap(({ file, imports }) => imports.map(({ target }) => `${featureOf(file)} ${featureOf(target)}`)),
  );
  const listed = Object.entries(FEATURES).flatMap(([from, features]) => features.map((to) => `${from} ${to}`));

  expect(found).toEqual([]);
  expect(listed.filter((pair) => !used.has(pair))).toEqual([]);
});

test('components and lib import no feature and no route', () => {
  const found = forbiddenImports(
    /^app\/(?:components|lib)\//,
    (target, _, typeOnly) => typeOnly || !/^app\/(?:features|routes)\//.test(target),
    'it belongs in the feature, or the shared part belongs in components or lib',
  );

  expect(found).toEqual([]);
});

test('only one file of the pages knows the router', () => {
  const users = code.filter(({ file, text }) => file.startsWith('app/') && text.includes("'@remix-run/react'"));

  expect(users.map(({ file }) => file)).toEqual(['app/lib/router.ts']);
});

test('buttons and alerts come through one file each', () => {
  const originals = (name: string) => new RegExp(`\\b${name}\\b[^}]*\\} from '@mantine/core'`);
  const users = (name: string) =>
    code.filter(({ file, text }) => file.startsWith('app/') && originals(name).test(text)).map(({ file }) => file);

  expect(users('Button')).toEqual(['app/components/button.ts']);
  expect(users('Alert')).toEqual(['app/components/alert.ts']);
});

/** Time zones are computed and named with formatters that no reader sees. */
const TIME_ZONES =
  /^(?:server\/(?:base\/(?:formats|time)|domain\/reference\/time-zones|feed\/reader\/calendars)|locales\/translate)\.ts$/;

test('dates, times, numbers and amounts are formatted in one file, for a language and a country', () => {
  const found = code.filter(
    ({ file, text }) =>
      /^(?:app|server|jobs|locales)\//.test(file) &&
      !TIME_ZONES.test(file) &&
      /new Intl\.(?:DateTime|Number|RelativeTime|Duration)Format\b|\.toLocale(?:Date|Time)?String\(/.test(text),
  );

  expect(found.map(({ file }) => file)).toEqual([]);
});

test('pure files import only pure files', () => {
  const found = forbiddenImports(
    /^(?:locales\/languages|db\/values\/.+|server\/limits\/.+|server\/(?:limits|base\/(?:addresses|cut-text|formats|money|retries|time|clock|fields|paging|html|(?:account|public)-paths)|policy\/(?:roles|studio-pages|capabilities))|server\/domain\/(?:[^/]+\/){1,2}(?:schema|rules|kinds))\.ts$/,
    (target, _, typeOnly) =>
      isPure(target) || typeOnly || /^server\/(?:base\/errors|domain\/(?:[^/]+\/){1,2}errors)$/.test(target),
    'the browser loads this file too',
  );

  expect(found).toEqual([]);
});

test('adapters, sandboxes and the database do not know the product', () => {
  const adapters = forbiddenImports(
    /^server\/adapters\//,
    (target) =>
      target.startsWith('server/adapters/') ||
      PURE_BASE.test(target) ||
      /^server\/(?:base\/errors|env|watching\/log)(?:\/|$)/.test(target),
    'a port uses our terms but knows no room',
  );
  const sandboxes = forbiddenImports(
    /^server\/sandbox\//,
    (target, { file }) => {
      const own = /^server\/sandbox\/[^/]+\//.exec(file)?.[0];
      return (
        (own !== undefined && target.startsWith(own)) ||
        PURE_BASE.test(target) ||
        /^server\/(?:env|watching\/log)(?:\/|$)/.test(target)
      );
    },
    'we call a sandbox over the wire only, like the service that it replaces',
  );
  const db = forbiddenImports(
    /^db\//,
    (target, _, typeOnly) => target.startsWith('db/') || isPure(target) || typeOnly,
    'the database is below the rooms',
  );

  expect([...adapters, ...sandboxes, ...db]).toEqual([]);
});

/** Folders of the Stripe sandbox in order: each may import only itself and earlier folders. */
const SANDBOX_FOLDERS = ['wire', 'engine', 'api', 'money', 'billing', 'checkout', 'pages'];

test('a folder of the Stripe sandbox imports only the folders before it', () => {
  const position = (file: string) => {
    const folder = /^packages\/stripe-sandbox\/src\/([^/]+)\//.exec(file)?.[1];
    return folder === undefined ? SANDBOX_FOLDERS.length : SANDBOX_FOLDERS.indexOf(folder);
  };
  const found = forbiddenImports(
    /^packages\/stripe-sandbox\/src\//,
    (target, { file }) => position(target) <= position(file),
    'pass it in as a parameter, as resources.ts and due-handlers.ts do',
  );

  expect(found).toEqual([]);
});

const packageOf = (file: string) => /^packages\/[^/]+\//.exec(file)?.[0];

test('a package imports nothing of the application, its tests neither', () => {
  const found = sources.flatMap(({ file, imports }) => {
    const own = packageOf(file);
    return own
      ? imports.filter(({ target }) => !target.startsWith(own)).map(({ target }) => `${file} → ${target}`)
      : [];
  });

  expect(found, 'the application passes it in').toEqual([]);
});

test('a package is imported by its name, never by a path into it', () => {
  const imports = sources.flatMap(({ file, imports: all }) =>
    all
      .filter(({ target }) => packageOf(target) && packageOf(target) !== packageOf(file))
      .map(({ specifier, target }) => ({ file, specifier, isPath: /^[.~]/.test(specifier), target })),
  );

  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter(({ isPath }) => isPath)).toEqual([]);
});

test('a package and the application use the same versions', () => {
  const read = (folder: string) => JSON.parse(fs.readFileSync(`${folder}/package.json`, 'utf8'));
  const ours = read('.');
  const differing = PACKAGES.flatMap((folder) => {
    const { name, version, dependencies, devDependencies } = read(folder);
    const versions = { [name]: version, ...dependencies, ...devDependencies };
    return Object.entries(versions).filter(
      ([used, wanted]) => (ours.dependencies[used] ?? ours.devDependencies[used]) !== wanted,
    );
  });

  expect(PACKAGES).toContain('packages/stripe-sandbox');
  expect(differing, 'a second copy would be installed').toEqual([]);
});

test('a production installation has only the packages that the build does not contain', () => {
  const { dependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8'));

  expect(Object.keys(dependencies).sort()).toEqual(PRODUCTION_PACKAGES.toSorted());
});

test('the engines of agents, audio, bounces, editions, feeds, sending domains and transcripts are pure', () => {
  const found = 'agents audio bounces edition feed sending-domains transcript zip'.split(' ').flatMap((engine) => {
    const own = new RegExp(`^server/${engine}/`);
    const isBase = (target: string) => PURE_BASE.test(target) || target === 'server/base/safe-html';
    const may = (target: string) => own.test(target) || (engine !== 'audio' && isBase(target));
    return forbiddenImports(own, may, 'pass what the engine needs as an argument');
  });
  // the comparison of a text with a sound reads both
  const alignment = forbiddenImports(
    /^server\/alignment\//,
    (target) => /^server\/(?:alignment|audio|transcript)\//.test(target),
    'pass what the engine needs as an argument',
  );
  // the recogniser reads its model, in a process of its own
  const recognition = forbiddenImports(
    /^server\/recognition\//,
    (target) => /^server\/(?:recognition|audio|transcript)\/|^server\/base\/errors$/.test(target),
    'pass what the engine needs as an argument',
  );
  const impure = code.filter(
    ({ file, text }) =>
      /^server\/(?:agents|alignment|audio|bounces|edition|feed|sending-domains|transcript|zip)\//.test(file) &&
      /\bfrom 'node:(?:https?|net|dns|fs)(?:\/promises)?'|\bfetch\(/.test(text),
  );

  expect([...found, ...alignment, ...recognition, ...impure.map(({ file }) => `${file} does I/O`)]).toEqual([]);
});

test('the plumbing of HTTP knows neither doors nor procedures', () => {
  const found = forbiddenImports(
    /^server\/http\//,
    (target, _, typeOnly) => typeOnly || !/^(?:app|server\/(?:doors|trpc|rest|seed))\//.test(target),
    'it belongs to a door, or the door passes it in',
  );

  expect(found).toEqual([]);
});

test('the demo seed uses rooms, never doors, and only the start-up files load it', () => {
  const seed = forbiddenImports(
    /^server\/seed\//,
    (target) => !/^(?:app|server\/(?:doors|http|trpc|rest)|jobs\/handlers)\//.test(target),
    'demo data is created through the functions of the rooms, except the past listens of plays.ts',
  );
  const loaders = forbiddenImports(
    /^(?!server\/seed\/|server\/runtime\/(?:demo|greeting|progress)\.ts$|benchmarks\/)/,
    (target) => !target.startsWith('server/seed/'),
    'the product does not depend on demo data',
  );

  expect([...seed, ...loaders]).toEqual([]);
});

test('job handlers import only rooms and the queue', () => {
  const found = forbiddenImports(
    /^jobs\/handlers\//,
    (target, _, typeOnly) =>
      typeOnly || /^(?:server\/domain|server\/runtime\/ctx|server\/queue|jobs\/handlers)/.test(target),
    'a handler has three lines: the work belongs in a room',
  );

  expect(found).toEqual([]);
});

/** Raw SQL that writes to a table: the table's name, or the Drizzle table put into the template. */
const RAW_WRITE =
  /\b(?:insert\s+into|merge\s+into|update|delete\s+from|truncate(?:\s+table)?|alter\s+table|drop\s+table)\s+(?:only\s+)?(?:\$\{(\w+)\}|"?(\w+)"?)/gi;

test('a room writes only to its own tables, in raw SQL too', () => {
  const owners = new Map<string, string>();
  for (const { file, text } of code) {
    const schemaFile = /^db\/schema\/(.+)\.ts$/.exec(file)?.[1];
    if (!schemaFile) continue;
    const schema = ROOM_OF_SCHEMA[schemaFile] ?? schemaFile;
    for (const [, table, name] of text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)) {
      owners.set(table!, schema).set(name!, schema);
    }
  }
  const found = code.flatMap(({ file, text }) => {
    const own = roomOf(file);
    if (!own) return [];
    const calls = [...text.matchAll(/\.(?:insert|update|delete)\((\w+)\)/g)].map(([, table]) => table!);
    const raw = [...text.matchAll(RAW_WRITE)].map(([, table, name]) => table ?? name!.toLowerCase());
    return [...calls, ...raw]
      .filter((table) => owners.has(table) && owners.get(table) !== groupOf(own))
      .map((table) => `${file} writes ${table}, which belongs to ${owners.get(table)}`);
  });

  expect(owners.size).toBeGreaterThan(10);
  expect(found).toEqual([]);
});

test('no sum in SQL is cast to 32 bits: a sum of amounts or plays may be larger', () => {
  const found = code.filter(({ text }) => /\bsum\((?:[^()]|\([^()]*\))*\)(?:, 0\))?::int(?:eger|4)?\b/.test(text));

  expect(found.map(({ file }) => file)).toEqual([]);
});

test('only server/env reads the environment, and the rooms have no clock of their own', () => {
  const environment = code.filter(
    ({ file, text }) =>
      /^(?:app|server|db|jobs|packages)\//.test(file) &&
      !/^server\/env(?:\.ts|\/)/.test(file) &&
      /process\.env\b/.test(text),
  );
  const clocks = code.filter(({ file, text }) => roomOf(file) && /new Date\(\)|Date\.now\(\)/.test(text));

  expect(environment.map(({ file }) => file)).toEqual([]);
  expect(clocks.map(({ file }) => file)).toEqual([]);
});

test('code checks the traits of a product kind, never its name', () => {
  const found = code
    .filter(({ file }) => !file.endsWith('/products/kinds.ts') && !file.startsWith('db/schema/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/[=!]==?\s*'(?:podcast|audio_series)'/g)].map(([hit]) => `${file}: ${hit}`),
    );

  expect(found).toEqual([]);
});

test('every seam is in one verb, and a test stops there', () => {
  const { text: list } = code.find(({ file }) => file === 'server/runtime/seams.ts')!;
  const seams = [...list.matchAll(/\| '([\w.]+)'/g)].map(([, seam]) => seam!);
  const reached = (seam: string) => code.filter(({ text }) => text.includes(`reach('${seam}')`)).length === 1;
  const stopped = (seam: string) =>
    sources.some(
      ({ file, text }) => file.endsWith('.test.ts') && text.includes('pauseAt(') && text.includes(`'${seam}'`),
    );

  expect(seams.length).toBeGreaterThan(5);
  expect(seams.filter((seam) => !reached(seam) || !stopped(seam))).toEqual([]);
});

test('no file is too long', () => {
  const limit = (file: string) =>
    isTest(file) ? MAX_TEST_LINES : file.startsWith('app/routes/') ? MAX_ROUTE_LINES : MAX_LINES;
  const long = sources
    .filter(({ file, lines }) => lines > limit(file))
    .map(({ file, lines }) => `${file}: ${lines} lines`);

  expect(long).toEqual([]);
});

test('no file imports itself through others, types included', () => {
  expect(importCycles(sources)).toEqual([]);
});
