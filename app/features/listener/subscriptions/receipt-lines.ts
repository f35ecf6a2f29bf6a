import type { VatBasis } from '~/db/schema/billing';
import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { countryName, formatDate, formatNumber, type Locale } from '~/server/base/formats';
import { type Currency, formatMoney } from '~/server/base/money';
import { cardName } from './card-name';

type Party = { name: string } & Record<'street' | 'postalCode' | 'city' | 'country' | 'taxNumber', string | null>;
/** The VAT that the amount contains, and its legal basis. */
type ReceiptVat = {
  minor: number;
  leftMinor: number;
  basisPoints: number;
  country: string | null;
  basis: VatBasis | null;
};
export type ReceiptFacts = {
  number: string;
  name: string;
  creator: string;
  every: 'month' | 'year' | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  priceMinor: number;
  discountMinor: number;
  creditMinor: number;
  amountMinor: number;
  refundedMinor: number;
  currency: Currency;
  vat: ReceiptVat;
  paidAt: Date;
  coupon: string | null;
  refunds: { amountMinor: number; at: Date }[];
  creditNotes: { kind: string; amountMinor: number; vatMinor: number; issuedAt: Date }[];
  seller: { name: string; address: string | null; email: string; vatNumber: string | null };
  buyer: Party;
  buyerVatNumber: string | null;
  card: { brand: string; last4: string } | null;
};

/** The lines of a receipt, for its page and its PDF. */
export type ReceiptText = {
  title: string;
  facts: { label: string; lines: string[] }[];
  amounts: { label: string; amount: string; isTotal: boolean }[];
  /** Every column after the second contains amounts. */
  table?: { columns: string[]; rows: string[][] };
  note: string;
};

export function receiptText(receipt: ReceiptFacts, texts: Texts): ReceiptText {
  const { t, locale } = texts;
  const { number, creator, paidAt, card } = receipt;
  const fact = factIn(t);
  return {
    title: t('receipt.title', { number }),
    facts: [
      fact('date', [formatDate(paidAt, locale)]),
      ...partiesOf(receipt, texts),
      fact('creator', [creator]),
      itemOf(receipt, texts),
      fact('card', [card && cardName(card)]),
    ].filter(({ lines }) => lines.length > 0),
    amounts: amountsOf(receipt, texts),
    note: noteOf(receipt, t),
  };
}

type Texts = { t: Translate; language: Language; locale: Locale };

/** A labelled fact without its empty lines. */
export const factIn = (t: Translate) => (label: string, lines: (string | null)[]) => ({
  label: t(`receipt.${label}`),
  lines: lines.filter((line): line is string => !!line),
});

/** Seller and buyer. A buyer who owes the VAT has the VAT number that shows it. */
export function partiesOf(receipt: ReceiptFacts, { t, language }: Texts) {
  const { seller, buyer, buyerVatNumber: number } = receipt;
  const fact = factIn(t);
  const lines = partyLines(number ? { ...buyer, taxNumber: t('receipt.vatNumber', { number }) } : buyer, language);
  return [
    fact('seller', [seller.name, ...(seller.address ?? '').split('\n'), vatNumberLine(receipt, t), seller.email]),
    fact('buyer', lines),
  ];
}

export const itemOf = (receipt: ReceiptFacts, { t, locale }: Texts) =>
  factIn(t)('item', [receipt.name, periodOf(receipt, { t, day: (at) => formatDate(at, locale) })]);

export const noteOf = ({ vat }: ReceiptFacts, t: Translate): string =>
  vat.basis === 'reverse_charge' ? t('receipt.reverseCharge') : t('receipt.note');

/** Only sellers that charge VAT, or leave it to the buyer, state their VAT number. */
function vatNumberLine({ seller: { vatNumber }, vat: { basis } }: ReceiptFacts, t: Translate): string | null {
  return vatNumber && (isCharged(basis) || basis === 'reverse_charge')
    ? t('receipt.vatNumber', { number: vatNumber })
    : null;
}

const isCharged = (basis: VatBasis | null) => basis === 'charged' || basis === 'charged_at_home';

export function partyLines({ name, street, postalCode, city, country, taxNumber }: Party, language: Language) {
  const place = [postalCode, city].filter(Boolean).join(' ');
  const land = country && countryName(country, language);
  return [name, street, place, land ?? null, taxNumber];
}

type Day = (at: Date) => string;

function periodOf({ every, periodStart, periodEnd }: ReceiptFacts, { t, day }: { t: Translate; day: Day }) {
  if (!every || !periodStart || !periodEnd) return null;
  return t('receipt.period', { from: day(periodStart), to: day(periodEnd) });
}

type Line = ReceiptText['amounts'][number];

function amountsOf(receipt: ReceiptFacts, texts: Texts): Line[] {
  const { t, locale } = texts;
  const { priceMinor, discountMinor, creditMinor, amountMinor, coupon } = receipt;
  const line = lineIn(receipt, locale);
  return [
    ...(discountMinor + creditMinor > 0 ? [line(t('receipt.price'), priceMinor)] : []),
    ...(discountMinor > 0
      ? [line(coupon ? t('receipt.coupon', { coupon }) : t('receipt.discount'), 0 - discountMinor)]
      : []),
    ...(creditMinor > 0 ? [line(t('receipt.credit'), 0 - creditMinor)] : []),
    line(t('receipt.total'), amountMinor, true),
    ...vatLines(receipt, texts).map(({ label, minor }) => line(label, minor)),
    ...returnsOf(receipt, texts),
  ];
}

const lineIn =
  ({ currency }: Pick<ReceiptFacts, 'currency'>, locale: Locale) =>
  (label: string, minor: number, isTotal = false): Line => ({
    label,
    amount: formatMoney({ minor, currency }, locale),
    isTotal,
  });

/** Refunds and disputes, and the amount that they leave. Empty without them. */
function returnsOf(receipt: ReceiptFacts, texts: Texts): Line[] {
  const { t, locale } = texts;
  const { amountMinor, refundedMinor, refunds } = receipt;
  const taken = takenByBank(receipt);
  if (refunds.length + taken.notes.length === 0) return [];
  const line = lineIn(receipt, locale);
  const leftMinor = amountMinor - refundedMinor - taken.amountMinor;
  const left = { amountMinor: leftMinor, vat: { ...receipt.vat, minor: receipt.vat.leftMinor - taken.vatMinor } };
  return [
    ...refunds.map(({ at, amountMinor: minor }) =>
      line(t('receipt.refund', { date: formatDate(at, locale) }), 0 - minor),
    ),
    ...taken.notes.map(({ kind, issuedAt, amountMinor: minor }) =>
      line(t(`receipt.${kind}`, { date: formatDate(issuedAt, locale) }), 0 - minor),
    ),
    line(t(taken.notes.length > 0 ? 'receipt.leftNow' : 'receipt.left'), leftMinor, true),
    ...(leftMinor > 0 ? vatLines(left, texts).map(({ label, minor }) => line(label, minor)) : []),
  ];
}

/** What the buyer's bank has taken back by disputes, less what it has returned. */
export function takenByBank({ creditNotes }: Pick<ReceiptFacts, 'creditNotes'>) {
  const notes = creditNotes.filter(({ kind }) => kind === 'dispute' || kind === 'dispute_won');
  const sum = (field: 'amountMinor' | 'vatMinor') => notes.reduce((total, note) => total + note[field], 0);
  return { notes, amountMinor: sum('amountMinor'), vatMinor: sum('vatMinor') };
}

/** The VAT in the total, and the amount without it. */
export function vatLines(
  { vat, amountMinor }: Pick<ReceiptFacts, 'vat' | 'amountMinor'>,
  { t, language, locale }: Texts,
) {
  const { minor, basisPoints, country, basis } = vat;
  if (!isCharged(basis) || !country) return [];
  const rate = formatNumber(basisPoints / 10_000, locale, { style: 'percent', maximumFractionDigits: 1 });
  const place = countryName(country, language);
  return [
    { label: t('receipt.net'), minor: amountMinor - minor },
    { label: t('receipt.vat', { rate, country: place }), minor },
  ];
}
