import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { RESOURCES } from '~/server/sandbox/stripe/resources';
import { ourObjects } from '../support/stripe-objects';
import { testStripe } from '../support/stripe-sandbox';

const ADAPTER = path.resolve('server/adapters/payments');
const files = fs.readdirSync(ADAPTER).map((name) => path.join(ADAPTER, name));
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, process.cwd());
const declarations = path.resolve('node_modules/stripe/esm/resources');
const program = ts.createProgram(files, {
  ...options,
  types: ['node'],
  incremental: false,
  tsBuildInfoFile: undefined,
});
const checker = program.getTypeChecker();
const isStripes = (node: ts.Node) =>
  node.getSourceFile().fileName.includes('/stripe/esm/') || node.getSourceFile().fileName.includes('/stripe/cjs/');

type Read = { where: string; field: string; declared: boolean };

/** Whether a type, or a part of it, is one of the SDK's. */
function fromSdk(type: ts.Type): boolean {
  if (type.isUnionOrIntersection()) return type.types.some(fromSdk);
  return [type.symbol, type.aliasSymbol].some((symbol) => symbol?.declarations?.some(isStripes));
}

function readsIn(file: ts.SourceFile): Read[] {
  const reads: Read[] = [];
  const note = (node: ts.Node, receiver: ts.Type, field: string) => {
    if (!fromSdk(receiver)) return;
    const symbol = checker.getPropertyOfType(checker.getNonNullableType(receiver), field);
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    reads.push({
      where: `${path.basename(file.fileName)}:${line + 1}`,
      field,
      declared: symbol?.declarations?.some(isStripes) ?? false,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) note(node, checker.getTypeAtLocation(node.expression), node.name.text);
    if (ts.isObjectBindingPattern(node))
      for (const element of node.elements)
        note(element, checker.getTypeAtLocation(node), (element.propertyName ?? element.name).getText());
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

test('the adapter reaches round no declaration', () => {
  const found = sources.flatMap((file) => {
    const text = file.getFullText();
    return [...text.matchAll(/\bas (?:any|unknown|never)\b|@ts-/g)].map(
      ([hit]) => `${path.basename(file.fileName)}: ${hit}`,
    );
  });

  expect(found).toEqual([]);
});

test('no type of the SDK leaves the folder: the port does not know it', () => {
  expect(fs.readFileSync(path.join(ADAPTER, 'port.ts'), 'utf8')).not.toMatch(/from 'stripe'/);
});

/** The fields of an interface: what must be there, and where null may stand. */
function fieldsOf(file: string, name: string) {
  const text = fs.readFileSync(path.join(declarations, `${file}.d.ts`), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  let found: ts.InterfaceDeclaration | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === name) found ??= node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found!.members.filter(ts.isPropertySignature).map((member) => ({
    name: member.name.getText(),
    required: member.questionToken === undefined,
    nullable: member.type!.getText().endsWith('| null'),
    kind: kindOf(member.type!),
  }));
}

function kindOf(type: ts.TypeNode): string | null {
  const text = type.getText().replace(/ \| null$/, '');
  if (['string', 'number', 'boolean'].includes(text)) return text;
  return /^Array</.test(text) ? 'array' : null;
}

const shown = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

/** What is wrong with an object, held against its declaration. */
function faultsOf(object: Record<string, unknown>, file: string, name: string): string[] {
  const fields = fieldsOf(file, name);
  const known = new Set(fields.map((field) => field.name));
  const lacking = fields.flatMap(({ name: field, required, nullable, kind }) => {
    const value = object[field];
    if (value === undefined) return required ? [`${name}.${field} is missing`] : [];
    if (value === null) return nullable ? [] : [`${name}.${field} is null`];
    return kind && shown(value) !== kind ? [`${name}.${field} is ${shown(value)}, not ${kind}`] : [];
  });
  return [
    ...lacking,
    ...Object.keys(object)
      .filter((key) => !known.has(key))
      .map((key) => `${name}.${key} is not declared`),
  ];
}

/** Where the SDK declares what may be said. */
const SAID: Record<string, string> = {
  'POST /v1/customers': 'Customers#CustomerCreateParams',
  'POST /v1/customers/:id': 'Customers#CustomerUpdateParams',
  'GET /v1/customers': 'Customers#CustomerListParams',
  'POST /v1/payment_methods/:id/attach': 'PaymentMethods#PaymentMethodAttachParams',
  'POST /v1/payment_methods': 'PaymentMethods#PaymentMethodCreateParams',
  'POST /v1/payment_intents': 'PaymentIntents#PaymentIntentCreateParams',
  'POST /v1/payment_intents/:id/confirm': 'PaymentIntents#PaymentIntentConfirmParams',
  'POST /v1/setup_intents': 'SetupIntents#SetupIntentCreateParams',
  'POST /v1/products': 'Products#ProductCreateParams',
  'POST /v1/prices': 'Prices#PriceCreateParams',
  'POST /v1/coupons': 'Coupons#CouponCreateParams',
  'POST /v1/promotion_codes': 'PromotionCodes#PromotionCodeCreateParams',
  'POST /v1/subscriptions': 'Subscriptions#SubscriptionCreateParams',
  'POST /v1/subscriptions/:id': 'Subscriptions#SubscriptionUpdateParams',
  'DELETE /v1/subscriptions/:id': 'Subscriptions#SubscriptionCancelParams',
  'POST /v1/subscriptions/:id/resume': 'Subscriptions#SubscriptionResumeParams',
  'POST /v1/invoices/create_preview': 'Invoices#InvoiceCreatePreviewParams',
  'POST /v1/invoices/:id/pay': 'Invoices#InvoicePayParams',
  'GET /v1/invoices': 'Invoices#InvoiceListParams',
  'POST /v1/checkout/sessions': 'Checkout/Sessions#SessionCreateParams',
  'POST /v1/refunds': 'Refunds#RefundCreateParams',
  'POST /v1/disputes/:id': 'Disputes#DisputeUpdateParams',
  'POST /v1/accounts': 'Accounts#AccountCreateParams',
  'POST /v1/account_links': 'AccountLinks#AccountLinkCreateParams',
  'POST /v1/transfers': 'Transfers#TransferCreateParams',
  'POST /v1/payouts': 'Payouts#PayoutCreateParams',
  'POST /v1/webhook_endpoints': 'WebhookEndpoints#WebhookEndpointCreateParams',
  'POST /v1/test_helpers/test_clocks': 'TestHelpers/TestClocks#TestClockCreateParams',
};
/** In the SDK a base of the list parameters, declared elsewhere. */
const PAGING = ['limit', 'starting_after', 'ending_before', 'created', 'expand'];

test.each(Object.entries(SAID))(
  '%s of the sandbox takes only parameters that the SDK declares',
  (address, declared) => {
    const [file, name] = declared.split('#') as [string, string];
    const route = RESOURCES.find(({ method, path: at }) => `${method} ${at}` === address);
    const known = new Set([...fieldsOf(file, name).map((field) => field.name), ...PAGING]);

    expect(route?.accepts.filter((parameter) => !known.has(parameter))).toEqual([]);
  },
);

const ground = await testStripe();
const objects = await ourObjects(ground);

test.each(Object.entries(objects))(
  '%s of the sandbox has the fields that the SDK declares, and no others',
  (declared, object) => {
    const [file, name] = declared.split('#') as [string, string];

    expect(faultsOf(object as Record<string, unknown>, file, name)).toEqual([]);
  },
);
