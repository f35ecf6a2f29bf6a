import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { PUBLIC_FILES } from './public-files';
import { fromSdk, isStripes, programOf } from './sdk-types';

const ADAPTER = path.resolve('server/adapters/payments');
const files = fs.readdirSync(ADAPTER).map((name) => path.join(ADAPTER, name));
/** Reads of undeclared fields, at different depths and in different forms. */
const MISREAD = path.join(ADAPTER, 'misread.ts');
/** Exports that would make the SDK's types part of the product. */
const LEAK = path.join(ADAPTER, 'leak.ts');
const { program, checker } = programOf(files, {
  [LEAK]: `import type Stripe from 'stripe';
export type Card = { id: string; more: { raw?: Stripe.Card } };
export type Events = Map<string, Promise<Stripe.Event[]>>;
export const open = (): { on(listen: (charge: Stripe.Charge) => void): void } => ({ on() {} });
export async function find(id: string, by = {} as { as?: Stripe.RequestOptions | null }) { return { id, by }; }
export type Plain = { id: string; at: Date };`,
  [MISREAD]: `import type Stripe from 'stripe';
type Life = Stripe.Subscription;
export function misread(invoice: Stripe.Invoice, { items: { data }, discount }: Life, charge: Stripe.Charge) {
  const { status_transitions: { paid_on, paid_at }, ...rest } = invoice;
  return [
    discount, paid_on, paid_at, rest.lines.data[0]?.period.finish,
    data[0]?.current_period_stop, data[0]?.price.recurring?.intervals,
    invoice.parent?.subscription_details?.number, invoice.parent?.subscription_details?.subscription,
    charge['amount_refounded'], charge.payment_method_details?.card?.checks?.cvc_czech,
    invoice.total_discount_amounts?.map(({ sum, amount }) => [sum, amount]),
    invoice.payments?.data.flatMap((each) => each.payment.intent),
  ];
}`,
});

type Read = { where: string; field: string; declared: boolean };

/** All reads of SDK fields: by dot, by bracket, or by destructuring. */
function readsIn(file: ts.SourceFile): Read[] {
  const reads: Read[] = [];
  const note = (node: ts.Node, receiver: ts.Type, field: string) => {
    if (!fromSdk(receiver)) return;
    const group = checker.getNonNullableType(receiver);
    const symbol = checker.getPropertyOfType(group, field);
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const isEntry = checker.getIndexTypeOfType(group, ts.IndexKind.String) !== undefined;
    const declared = symbol?.declarations?.some(isStripes) ?? isEntry;
    reads.push({ where: `${path.basename(file.fileName)}:${line + 1}`, field, declared });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) note(node, checker.getTypeAtLocation(node.expression), node.name.text);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
      note(node, checker.getTypeAtLocation(node.expression), node.argumentExpression.text);
    if (ts.isObjectBindingPattern(node))
      for (const { propertyName, name, dotDotDotToken } of node.elements)
        if (!dotDotDotToken) note(name, checker.getTypeAtLocation(node), (propertyName ?? name).getText());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return reads;
}

const sources = files.map((file) => program.getSourceFile(file)!);
const reads = sources.flatMap(readsIn);

test('every field that the adapter reads is declared by the SDK for its pinned version', () => {
  expect(reads.length).toBeGreaterThan(150);
  expect(reads.filter(({ declared }) => !declared)).toEqual([]);
});

test('the check covers fields of nested groups', () => {
  const fields = new Set(reads.map(({ field }) => field));

  // fields of an invoice line, a price, an invoice payment, a session's totals, a balance transaction, an error
  for (const nested of [
    'proration',
    'interval',
    'payment_intent',
    'amount_discount',
    'net',
    'redirect_to_url',
    'decline_code',
  ])
    expect(fields).toContain(nested);
});

test('the check finds undeclared fields at any depth', () => {
  const misreads = readsIn(program.getSourceFile(MISREAD)!).filter(({ declared }) => !declared);

  expect(misreads.map(({ field }) => field).sort()).toEqual(
    [
      'amount_refounded',
      'current_period_stop',
      'cvc_czech',
      'discount',
      'finish',
      'intent',
      'intervals',
      'number',
      'paid_on',
      'sum',
    ].sort(),
  );
});

test('the adapter has no casts around declared types', () => {
  const found = sources.flatMap((file) => {
    const text = file.getFullText();
    return [...text.matchAll(/\bas (?:any|unknown|never)\b|@ts-/g)].map(
      ([hit]) => `${path.basename(file.fileName)}: ${hit}`,
    );
  });

  expect(found).toEqual([]);
});

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

test.each(PUBLIC_FILES)('%s exposes no SDK type', (name) => {
  expect(leaksOf(path.join(ADAPTER, `${name}.ts`))).toEqual([]);
});

test('the check finds an SDK type anywhere in a declaration', () => {
  expect(leaksOf(LEAK).sort()).toEqual(['Card', 'Events', 'find', 'open']);
});
