import { expect, test } from 'vitest';
import { creditNoteText } from '~/app/features/listener/subscriptions/credit-note-lines';
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
  creditMinor: 0,
  amountMinor: 750,
  refundedMinor: 100,
  currency: 'eur',
  vat: { minor: 130, leftMinor: 113, basisPoints: 2100, country: 'ES', basis: 'charged' },
  paidAt: new Date('2027-01-05T10:00:00Z'),
  coupon: 'OLAS25',
  refunds: [{ amountMinor: 100, at: new Date('2027-01-09T00:00:00Z') }],
  creditNotes: [],
  seller: {
    name: 'Altavoz S.L.',
    address: 'Calle Mayor 1\n28013 Madrid',
    email: 'hola@mail.example',
    vatNumber: 'ESB12345674',
  },
  buyer: { name: 'Núria', street: null, postalCode: '08001', city: 'Barcelona', country: 'ES', taxNumber: null },
  buyerVatNumber: null,
  card: { brand: 'visa', last4: '4242' },
};
const t = (key: string, params: object = {}) => [key, ...Object.values(params)].join(' ');

test.each([
  ['Olas', ['latin:Olas']],
  ['Olas® 🌊👩‍👩‍👧‍👦 y sal 🎙️🇪🇸', ['latin:Olas® y sal']],
  ['“Mar 🌊” y «🌊 sal», (🌊 fin) “🎙️ 🌊 Ola 🌊 🇪🇸”, "eco 🌊"', ['latin:“Mar” y «sal», (fin) “Ola”, "eco"']],
  ['Sol (y mar) “hoy” a las 5 €', ['latin:Sol (y mar) “hoy” a las 5 €']],
  ['Łódź', ['latin-ext:Ł', 'latin:ó', 'latin:d', 'latin-ext:ź']],
  ['Olas מזון', ['latin:Olas ', 'hebrew:מזון']],
  ['يوميات البحر الأزرق', ['arabic:الأزرق', 'latin: ', 'arabic:البحر', 'latin: ', 'arabic:يوميات']],
])('%s is drawn from left to right', (text, expected) => {
  const drawn = textRuns(text).map(({ font, text: part }) => `${font}:${part}`);
  const merged = expected.join('|').replace('latin:ó|latin:d', 'latin:ód').split('|');
  expect(drawn).toEqual(merged);
});

test('a receipt shows the price, the coupon, the charge and the amount left after refunds', () => {
  const { facts, amounts } = receiptText(RECEIPT, { t, language: 'en', locale: 'en-GB' });

  expect(amounts.map(({ label, amount }) => `${label} = ${amount}`)).toEqual([
    'receipt.price = €10.00',
    'receipt.coupon OLAS25 = -€2.50',
    'receipt.total = €7.50',
    'receipt.net = €6.20',
    'receipt.vat 21% Spain = €1.30',
    'receipt.refund 9 January 2027 = -€1.00',
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

test('a receipt shows what the bank took back after a refund, and what it returned', () => {
  const issuedAt = new Date('2027-02-01T00:00:00Z');
  const taken = { kind: 'dispute', amountMinor: 650, vatMinor: 113, issuedAt };
  const returned = { ...taken, kind: 'dispute_won', amountMinor: -650, vatMinor: -113 };
  const linesWith = (creditNotes: ReceiptFacts['creditNotes']) =>
    receiptText({ ...RECEIPT, creditNotes }, { t, language: 'en', locale: 'en-GB' }).amounts.map(
      ({ label, amount }) => `${label} = ${amount}`,
    );

  expect(linesWith([taken]).slice(5)).toEqual([
    'receipt.refund 9 January 2027 = -€1.00',
    'receipt.dispute 1 February 2027 = -€6.50',
    'receipt.leftNow = €0.00',
  ]);
  expect(linesWith([taken, returned]).slice(7)).toEqual([
    'receipt.dispute_won 1 February 2027 = €6.50',
    'receipt.leftNow = €6.50',
    'receipt.net = €5.37',
    'receipt.vat 21% Spain = €1.13',
  ]);
});

test('a receipt of a change to yearly shows the yearly price and the credit', () => {
  const changed = { ...RECEIPT, priceMinor: 7000, discountMinor: 0, creditMinor: 300, amountMinor: 6700, coupon: null };
  const { amounts } = receiptText(
    { ...changed, refundedMinor: 0, refunds: [] },
    { t, language: 'en', locale: 'en-GB' },
  );

  expect(amounts.slice(0, 3).map(({ label, amount }) => `${label} = ${amount}`)).toEqual([
    'receipt.price = €70.00',
    'receipt.credit = -€3.00',
    'receipt.total = €67.00',
  ]);
});

test('a buyer who owes the VAT has the VAT number with its country, and its label', () => {
  const vat = { minor: 0, leftMinor: 0, basisPoints: 0, country: 'FR', basis: 'reverse_charge' } as const;
  const buyer = { ...RECEIPT.buyer, country: 'FR', taxNumber: '40303265045' };
  const text = receiptText(
    { ...RECEIPT, vat, buyer, buyerVatNumber: 'FR40303265045' },
    { t, language: 'en', locale: 'en-GB' },
  );

  const lines = text.facts.find(({ label }) => label === 'receipt.buyer')!.lines;
  expect(lines).toEqual(['Núria', '08001 Barcelona', 'France', 'receipt.vatNumber FR40303265045']);
});

test('a credit note names its receipt and shows the difference; a failed refund is added again', () => {
  const issuedAt = new Date('2027-01-10T00:00:00Z');
  const note = { number: 'R-000007', kind: 'refund', amountMinor: 100, vatMinor: 17, issuedAt } as const;
  const texts = { t, language: 'en', locale: 'en-GB' } as const;
  const { title, facts, amounts } = creditNoteText(RECEIPT, note, texts);

  expect(title).toBe('creditNote.title R-000007');
  expect(facts.find(({ label }) => label === 'receipt.corrects')!.lines).toEqual(['A-000123, 5 January 2027']);
  expect(amounts.map(({ amount }) => amount)).toEqual(['-€0.83', '-€0.17', '-€1.00']);
  const failed = creditNoteText(RECEIPT, { ...note, kind: 'failure', amountMinor: -100, vatMinor: -17 }, texts);
  expect(failed.amounts.map(({ amount }) => amount)).toEqual(['€0.83', '€0.17', '€1.00']);
  expect(failed.facts.find(({ label }) => label === 'receipt.reason')!.lines).toEqual(['creditNote.failure']);
});

test.each(['refund', 'failure', 'dispute', 'dispute_won'] as const)('a credit note has its reason: %s', (kind) => {
  const note = { number: 'R-000007', kind, amountMinor: 100, vatMinor: 17, issuedAt: RECEIPT.paidAt };

  const { facts } = creditNoteText(RECEIPT, note, { t, language: 'en', locale: 'en-GB' });

  expect(facts.find(({ label }) => label === 'receipt.reason')!.lines).toEqual([`creditNote.${kind}`]);
});

test.each([
  ['reverse_charge', 'receipt.reverseCharge', true],
  ['outside_eu', 'receipt.note', false],
  ['donation', 'receipt.note', false],
] as const)('a receipt without VAT, because of %s', (basis, note, hasNumber) => {
  const vat = { minor: 0, leftMinor: 0, basisPoints: 0, country: 'FR', basis };
  const text = receiptText({ ...RECEIPT, vat }, { t, language: 'en', locale: 'en-GB' });

  expect(text.amounts.some(({ label }) => label.startsWith('receipt.vat'))).toBe(false);
  expect(text.note).toBe(note);
  const seller = text.facts.find(({ label }) => label === 'receipt.seller')!.lines;
  expect(seller.includes('receipt.vatNumber ESB12345674')).toBe(hasNumber);
});

test('VAT of the seller’s country is shown like that of the buyer’s', () => {
  const texts = { t, language: 'en', locale: 'en-GB' } as const;
  const atHome = { ...RECEIPT, vat: { ...RECEIPT.vat, basis: 'charged_at_home' } as const };

  expect(receiptText(atHome, texts)).toEqual(receiptText(RECEIPT, texts));
});

test('its PDF is one complete document with the fonts of its scripts', async () => {
  const stream = await receiptPdf(receiptText(RECEIPT, { t, language: 'es', locale: 'es-ES' }), 'es');
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  const text = bytes.toString('latin1');

  expect(text.startsWith('%PDF-1.')).toBe(true);
  expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
  expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(text).toMatch(/NotoSans.*Arab/);
});
