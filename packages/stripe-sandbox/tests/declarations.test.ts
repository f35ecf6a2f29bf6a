import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { RESOURCES } from '../src/resources';
import { sampleObjects } from './support/sample-objects';
import { testSandbox } from './support/sandbox';
import { faultsOf } from './support/wire-types';

/** The folder in which the SDK declares its resources, one file each. */
const DECLARATIONS = path.resolve(createRequire(import.meta.url).resolve('stripe'), '../../esm/resources');
const program = ts.createProgram([path.join(DECLARATIONS, '../stripe.esm.node.d.ts')], {
  strict: true,
  types: ['node'],
});
const checker = program.getTypeChecker();

/** @param declared `file#interface`; in some files the interfaces are in a namespace */
function declaredType(declared: string): ts.Type {
  const [file, name] = declared.split('#');
  const search = (node: ts.Node): ts.InterfaceDeclaration | undefined =>
    ts.isInterfaceDeclaration(node) && node.name.text === name ? node : ts.forEachChild(node, search);
  const source = program.getSourceFile(`${DECLARATIONS}/${file}.d.ts`);
  const found = source && search(source);
  if (!found) throw new Error(`the SDK declares no ${declared}`);
  return checker.getDeclaredTypeOfSymbol(checker.getSymbolAtLocation(found.name)!);
}

/** The SDK's declarations of parameters, by route. */
const PARAMETERS: Record<string, string> = {
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
  'POST /v1/invoices/:id/attach_payment': 'Invoices#InvoiceAttachPaymentParams',
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

test.each(Object.entries(PARAMETERS))('%s accepts only parameters that the SDK declares', (address, declared) => {
  const route = RESOURCES.find(({ method, path: at }) => `${method} ${at}` === address);
  const known = new Set(checker.getPropertiesOfType(declaredType(declared)).map(({ name }) => name));

  expect(route?.accepts.filter((parameter) => !known.has(parameter))).toEqual([]);
});

const objects = await sampleObjects(await testSandbox());

test.each(Object.entries(objects))(
  '%s has exactly the fields that the SDK declares, at every depth',
  (declared, found) => {
    const [, name = ''] = declared.split('#');
    const type = declaredType(declared);

    expect(found.length).toBeGreaterThan(0);
    expect([...new Set(found.flatMap((value) => faultsOf(checker, { value, type, at: name })))]).toEqual([]);
  },
);

test('the check finds wrong fields at any depth', () => {
  const [customer] = objects['Customers#Customer'] as Record<string, unknown>[];
  const invoice = (objects['Invoices#Invoice'] as { lines: { data: object[] } }[])[0]!;
  const [line] = invoice.lines.data;
  const held = (value: unknown, declared: string) =>
    faultsOf(checker, { value, type: declaredType(declared), at: 'it' });

  const settings = { ...(customer!.invoice_settings as object), default_payment_method: undefined, footnote: 'x' };
  expect(held({ ...customer, invoice_settings: settings }, 'Customers#Customer')).toEqual([
    'it.invoice_settings.footnote is not declared',
    'it.invoice_settings.default_payment_method is missing',
  ]);
  const lines = { ...invoice.lines, data: [{ ...line, period: { start: '1', end: null } }] };
  expect(held({ ...invoice, lines, object: 'bill' }, 'Invoices#Invoice')).toEqual([
    'it.object is "bill", not "invoice"',
    'it.lines.data[0].period.end is null, not number',
    'it.lines.data[0].period.start is "1", not number',
  ]);
});
