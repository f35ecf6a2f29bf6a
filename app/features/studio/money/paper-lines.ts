import { partyLines, type ReceiptText } from '~/app/features/listener/subscriptions/receipt-lines';
import { monthName } from '~/app/lib/month-name';
import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { formatDate, formatNumber, type Locale } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import { utcDay } from '~/server/base/time';
import type { Paper } from '~/server/domain/payouts/papers';
import type { Statement } from '~/server/domain/payouts/statements';
import { kindOf } from './entry-kind';

type Texts = { t: Translate; language: Language; locale: Locale };

/** The lines of an invoice or a credit note. A credit note has negative amounts. */
export function paperText(paper: Paper, { t, language, locale }: Texts): ReceiptText {
  const { kind, number, issuedAt, paidAt, cancels, seller, buyer, currency, basis } = paper;
  const isNote = kind === 'credit_note';
  const money = (minor: number) => formatMoney({ minor: isNote ? 0 - minor : minor, currency }, locale);
  const fact = (label: string, lines: (string | null)[]) => ({
    label: t(`pdf.${label}`),
    lines: lines.filter((line): line is string => !!line),
  });
  const { name, address, country, vatNumber } = buyer;
  const operator = { name, street: address, postalCode: null, city: null, country, taxNumber: vatNumber };
  const line = (label: string, minor: number, isTotal = false) => ({ label, amount: money(minor), isTotal });
  const percent = formatNumber(paper.basisPoints / 10_000, locale, { style: 'percent', maximumFractionDigits: 2 });
  return {
    title: t(isNote ? 'pdf.creditNote' : 'pdf.invoice', { number }),
    facts: [
      fact('date', [formatDate(issuedAt, locale)]),
      fact('seller', partyLines(seller, language)),
      fact('buyer', partyLines(operator, language)),
      fact('for', [t('pdf.subject', { date: formatDate(paidAt ?? issuedAt, locale) })]),
      fact('cancels', [cancels]),
    ].filter(({ lines }) => lines.length > 0),
    amounts: [
      line(t('pdf.net'), paper.netMinor),
      line(t('pdf.vat', { percent }), paper.vatMinor),
      line(t('pdf.total'), paper.netMinor + paper.vatMinor, true),
    ],
    note: [
      t('pdf.issued', { buyer: name, seller: seller.name }),
      ...(basis === 'charged' ? [] : [t(`pdf.${basis}`)]),
    ].join(' '),
  };
}

/** A statement with its entries in a table. */
export function statementText(statement: Statement, { t, locale }: Texts): ReceiptText {
  const { creator, month, currency, openingMinor, closingMinor, byKind, entries } = statement;
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const line = (label: string, minor: number, isTotal = false) => ({ label, amount: money(minor), isTotal });
  const { length: shown } = entries.items;
  const more = shown < entries.total ? [t('pdf.more', { shown, total: entries.total })] : [];
  return {
    title: t('statement.title', { month: monthName(month, locale) }),
    facts: [{ label: t('pdf.creator'), lines: [creator] }],
    amounts: [
      line(t('statement.opening'), openingMinor),
      ...byKind.map(({ kind, minor }) => line(t(`total.${kind}`), minor)),
      line(t('statement.closing'), closingMinor, true),
    ],
    table: {
      columns: ['date', 'what', 'gross', 'vat', 'commission', 'share'].map((column) => t(`entry.${column}`)),
      rows: entries.items.map(({ at, kind, sale, ...minor }) => [
        utcDay(at),
        [t(`kind.${kindOf({ kind, sale })}`), sale?.name, sale?.buyer].filter(Boolean).join(' · '),
        ...(sale ? [minor.grossMinor, minor.vatMinor, minor.commissionMinor].map(money) : ['', '', '']),
        money(minor.shareMinor),
      ]),
    },
    note: [t('pdf.statementNote', { currency: currency.toUpperCase() }), ...more].join(' '),
  };
}
