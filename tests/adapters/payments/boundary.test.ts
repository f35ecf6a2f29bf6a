import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { fromSdk, isStripes, programOf } from './sdk-types';

const FOLDER = 'server/adapters/payments';
/** The files that the product may import. */
const PUBLIC = ['port', 'objects', 'errors', 'stripe'].map((name) => `${FOLDER}/${name}`);
/** Files that may import the SDK: the adapter, the sandbox, tests and benchmarks. */
const MAY_IMPORT_SDK = /^(?:server\/adapters\/payments|server\/sandbox\/stripe|tests|benchmarks)\//;
const IGNORED = /^(?:node_modules|build|test-results|\.\w.*)$/;

function walk(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (IGNORED.test(entry.name)) return [];
    return entry.isDirectory() ? walk(name) : /\.[cm]?[jt]sx?$/.test(name) ? [name] : [];
  });
}

/** All imports of a file: values, types, dynamic imports and `require`. */
function importsOf(file: string, text = fs.readFileSync(file, 'utf8')): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => {
    if (fileName.startsWith('~/')) return fileName.slice(2);
    return fileName.startsWith('.') ? path.posix.join(path.posix.dirname(file), fileName) : fileName;
  });
}

const files = walk('.');
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

  expect(forms.filter((form) => !importsOf('a.ts', form).some(isSdk))).toEqual([]);
});

test('the product imports only the adapter’s public files', () => {
  const found = files
    .filter((file) => !file.startsWith(`${FOLDER}/`) && !/^(?:tests|benchmarks)\//.test(file))
    .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
    .filter(({ target }) => target.startsWith(`${FOLDER}/`) && !PUBLIC.includes(target));

  expect(found).toEqual([]);
});

const LEAK = path.resolve(FOLDER, 'leak.ts');
const { program, checker } = programOf(
  PUBLIC.map((name) => path.resolve(`${name}.ts`)),
  {
    [LEAK]: `import type Stripe from 'stripe';
export type Card = { id: string; more: { raw?: Stripe.Card } };
export type Events = Map<string, Promise<Stripe.Event[]>>;
export const open = (): { on(listen: (charge: Stripe.Charge) => void): void } => ({ on() {} });
export async function find(id: string, by = {} as { as?: Stripe.RequestOptions | null }) { return { id, by }; }
export type Plain = { id: string; at: Date };`,
  },
);

/** All types reachable from a type: fields, elements, parameters, results. Built-in types such as Date end the walk. */
function* reachableTypes(type: ts.Type, seen = new Set<ts.Type>()): Generator<ts.Type> {
  if (seen.has(type)) return;
  seen.add(type);
  yield type;
  const parts = type.isUnionOrIntersection() ? type.types : checker.getTypeArguments(type as ts.TypeReference);
  for (const part of [...(parts ?? []), ...(type.aliasTypeArguments ?? [])]) yield* reachableTypes(part, seen);
  if (fromSdk(type)) return;
  for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
    yield* reachableTypes(signature.getReturnType(), seen);
    for (const parameter of signature.parameters) yield* reachableTypes(checker.getTypeOfSymbol(parameter), seen);
  }
  for (const field of type.getProperties())
    if (field.declarations?.some(isOurs)) yield* reachableTypes(checker.getTypeOfSymbol(field), seen);
}

const isOurs = (node: ts.Node) => isStripes(node) || !node.getSourceFile().fileName.includes('/node_modules/');

/** The exports of a file whose declarations expose an SDK type. */
function leaksOf(file: string): string[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
  return checker
    .getExportsOfModule(module)
    .filter((symbol) => {
      const isType = symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface);
      const type = isType ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol);
      return [...reachableTypes(type)].some(fromSdk);
    })
    .map(({ name }) => name);
}

test.each(PUBLIC)('%s exposes no SDK type', (name) => {
  expect(leaksOf(path.resolve(`${name}.ts`))).toEqual([]);
});

test('the check finds an SDK type anywhere in a declaration', () => {
  expect(leaksOf(LEAK).sort()).toEqual(['Card', 'Events', 'find', 'open']);
});
