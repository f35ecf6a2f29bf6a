import { expect, test } from 'vitest';
import { type ReceiptFacts, receiptText } from '~/app/features/listener/subscriptions/receipt-lines';
import { receiptPdf } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import { textRuns } from '~/app/features/listener/subscriptions/text-runs';

const RECEIPT: ReceiptFacts = {
  number: 'A-000123',
  name: 'مذكرات البحر',
  creator: 'Lucía',
  every: 'month',
  periodStart: new Date('2027-01-05T00:00:00Z'),
  periodEnd: new Date('2027-02-05T00:00:00Z'),
  priceMinor: 1000,
  discountMinor: 250,
  amountMinor: 750,
  refundedMinor: 100,
  currency: 'eur',
  vat: { minor: 130, leftMinor: 113, basisPoints: 2100, country: 'ES', basis: 'charged' },
  paidAt: new Date('2027-01-05T10:00:00Z'),
  coupon: 'OLAS25',
  refunds: [{ amountMinor: 100, at: new Date('2027-01-09T00:00:00Z') }],
  seller: {
    name: 'Altavoz S.L.',
    address: 'Calle Mayor 1\n28013 Madrid',
    email: 'hola@mail.example',
    vatNumber: 'ESB12345674',
  },
  buyer: { name: 'Núria', street: null, postalCode: '08001', city: 'Barcelona', country: 'ES', taxNumber: null },
  card: { brand: 'visa', last4: '4242' },
};
const t = (key: string, params: object = {}) => [key, ...Object.values(params)].join(' ');

test.each([
  ['Olas', ['latin:Olas']],
  ['Olas® 🌊👩‍👩‍👧‍👦 y sal 🎙️🇪🇸', ['latin:Olas® y sal']],
  ['Łódź', ['latin-ext:Ł', 'latin:ó', 'latin:d', 'latin-ext:ź']],
  ['Olas מזון', ['latin:Olas ', 'hebrew:מזון']],
  ['يوميات البحر الأزرق', ['arabic:الأزرق', 'latin: ', 'arabic:البحر', 'latin: ', 'arabic:يوميات']],
])('%s is drawn from left to right', (text, expected) => {
  const drawn = textRuns(text).map(({ font, text: part }) => `${font}:${part}`);
  const merged = expected.join('|').replace('latin:ó|latin:d', 'latin:ód').split('|');
  expect(drawn).toEqual(merged);
});

test('a receipt shows the price, the coupon, the charge and the amount left after refunds', () => {
  const { facts, amounts } = receiptText(RECEIPT, { t, language: 'en' });

  expect(amounts.map(({ label, amount }) => `${label} = ${amount}`)).toEqual([
    'receipt.price = €10.00',
    'receipt.coupon OLAS25 = -€2.50',
    'receipt.total = €7.50',
    'receipt.net = €6.20',
    'receipt.vat 21% Spain = €1.30',
    'receipt.refund January 9, 2027 = -€1.00',
    'receipt.left = €6.50',
    'receipt.net = €5.37',
    'receipt.vat 21% Spain = €1.13',
  ]);
  expect(facts.find(({ label }) => label === 'receipt.buyer')!.lines).toEqual(['Núria', '08001 Barcelona', 'Spain']);
  expect(facts.find(({ label }) => label === 'receipt.seller')!.lines).toEqual([
    'Altavoz S.L.',
    'Calle Mayor 1',
    '28013 Madrid',
    'receipt.vatNumber ESB12345674',
    'hola@mail.example',
  ]);
});

test.each([
  ['reverse_charge', 'receipt.reverseCharge', true],
  ['outside_eu', 'receipt.note', false],
  ['donation', 'receipt.note', false],
] as const)('a receipt without VAT, because of %s', (basis, note, hasNumber) => {
  const vat = { minor: 0, leftMinor: 0, basisPoints: 0, country: 'FR', basis };
  const text = receiptText({ ...RECEIPT, vat }, { t, language: 'en' });

  expect(text.amounts.some(({ label }) => label.startsWith('receipt.vat'))).toBe(false);
  expect(text.note).toBe(note);
  const seller = text.facts.find(({ label }) => label === 'receipt.seller')!.lines;
  expect(seller.includes('receipt.vatNumber ESB12345674')).toBe(hasNumber);
});

test('its PDF is one complete document with the fonts of its scripts', async () => {
  const stream = await receiptPdf(receiptText(RECEIPT, { t, language: 'es' }), 'es');
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  const text = bytes.toString('latin1');

  expect(text.startsWith('%PDF-1.')).toBe(true);
  expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
  expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(text).toMatch(/NotoSans.*Arab/);
});
