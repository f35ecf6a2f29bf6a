import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { PUBLIC_FILES } from './public-files';

const FOLDER = 'server/adapters/payments';
const PUBLIC = PUBLIC_FILES.map((name) => `${FOLDER}/${name}`);
/** Files that may import the SDK: the adapter, the sandbox, tests and benchmarks. */
const MAY_IMPORT_SDK = /^(?:server\/adapters\/payments|packages\/stripe-sandbox|tests|benchmarks)\//;
const IGNORED = /^(?:node_modules|build|test-results|\.\w.*)$/;

function walk(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (IGNORED.test(entry.name)) return [];
    return entry.isDirectory() ? walk(name) : /\.[cm]?[jt]sx?$/.test(name) ? [name] : [];
  });
}

/** All imports of a file: values, types, dynamic imports and `require`. */
function importsIn(file: string, text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => {
    if (fileName.startsWith('~/')) return fileName.slice(2);
    return fileName.startsWith('.') ? path.posix.join(path.posix.dirname(file), fileName) : fileName;
  });
}

const files = walk('.');
const imports = new Map(files.map((file) => [file, importsIn(file, fs.readFileSync(file, 'utf8'))]));
const importsOf = (file: string) => imports.get(file)!;
const isSdk = (target: string) => /^stripe(?:\/|$)/.test(target);

test('only the adapter, the sandbox, tests and benchmarks import the Stripe SDK', () => {
  const found = files.filter((file) => !MAY_IMPORT_SDK.test(file) && importsOf(file).some(isSdk));

  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => importsOf(file).some(isSdk)).length).toBeGreaterThan(10);
  expect(found).toEqual([]);
});

test('the check finds every form of an SDK import', () => {
  const forms = [
    "import Stripe from 'stripe';",
    "import type { Stripe } from 'stripe';",
    "import 'stripe/esm/stripe.esm.node.js';",
    "export { Stripe } from 'stripe';",
    "const stripe = await import('stripe');",
    "const stripe = require('stripe');",
    "type Charge = import('stripe').Stripe.Charge;",
  ];

  expect(forms.filter((form) => !importsIn('a.ts', form).some(isSdk))).toEqual([]);
});

test('the product imports only the adapter’s public files', () => {
  const found = files
    .filter((file) => !file.startsWith(`${FOLDER}/`) && !/^(?:tests|benchmarks)\//.test(file))
    .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
    .filter(({ target }) => target.startsWith(`${FOLDER}/`) && !PUBLIC.includes(target));

  expect(found).toEqual([]);
});
