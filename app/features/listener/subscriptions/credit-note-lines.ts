import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { formatDate, type Locale } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import { factIn, itemOf, noteOf, partiesOf, type ReceiptFacts, type ReceiptText, vatLines } from './receipt-lines';

type CreditNoteFacts = {
  number: string;
  kind: 'refund' | 'failure' | 'dispute' | 'dispute_won';
  amountMinor: number;
  vatMinor: number;
  issuedAt: Date;
};
type Texts = { t: Translate; language: Language; locale: Locale };

/** The lines of a corrective invoice: what it corrects, and the difference. */
export function creditNoteText(receipt: ReceiptFacts, note: CreditNoteFacts, texts: Texts): ReceiptText {
  const { t, locale } = texts;
  const money = (minor: number) => formatMoney({ minor, currency: receipt.currency }, locale);
  const line = (label: string, minor: number, isTotal = false) => ({ label, amount: money(minor), isTotal });
  const amountMinor = 0 - note.amountMinor;
  const vat = { ...receipt.vat, minor: 0 - note.vatMinor };
  const fact = factIn(t);
  return {
    title: t('creditNote.title', { number: note.number }),
    facts: [
      fact('issued', [formatDate(note.issuedAt, locale)]),
      fact('corrects', [`${receipt.number}, ${formatDate(receipt.paidAt, locale)}`]),
      fact('reason', [t(`creditNote.${note.kind}`)]),
      ...partiesOf(receipt, texts),
      itemOf(receipt, texts),
    ].filter(({ lines }) => lines.length > 0),
    amounts: [
      ...vatLines({ vat, amountMinor }, texts).map(({ label, minor }) => line(label, minor)),
      line(t('creditNote.total'), amountMinor, true),
    ],
    note: noteOf(receipt, t),
  };
}
