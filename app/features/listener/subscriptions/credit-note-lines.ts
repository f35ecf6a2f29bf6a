import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { formatMoney } from '~/server/base/money';
import { formatDay } from './dates';
import { factIn, itemOf, noteOf, partiesOf, type ReceiptFacts, type ReceiptText, vatLines } from './receipt-lines';

type CreditNoteFacts = {
  number: string;
  kind: 'refund' | 'failure' | 'dispute' | 'dispute_won';
  amountMinor: number;
  vatMinor: number;
  issuedAt: Date;
};
type Texts = { t: Translate; language: Language };

/** The lines of a corrective invoice: what it corrects, and the difference. */
export function creditNoteText(receipt: ReceiptFacts, note: CreditNoteFacts, { t, language }: Texts): ReceiptText {
  const money = (minor: number) => formatMoney({ minor, currency: receipt.currency }, language);
  const line = (label: string, minor: number, isTotal = false) => ({ label, amount: money(minor), isTotal });
  const amountMinor = 0 - note.amountMinor;
  const vat = { ...receipt.vat, minor: 0 - note.vatMinor };
  const fact = factIn(t);
  return {
    title: t('creditNote.title', { number: note.number }),
    facts: [
      fact('issued', [formatDay(note.issuedAt, language)]),
      fact('corrects', [`${receipt.number}, ${formatDay(receipt.paidAt, language)}`]),
      fact('reason', [t(`creditNote.${note.kind}`)]),
      ...partiesOf(receipt, { t, language }),
      itemOf(receipt, { t, language }),
    ].filter(({ lines }) => lines.length > 0),
    amounts: [
      ...vatLines({ vat, amountMinor }, { t, language }).map(({ label, minor }) => line(label, minor)),
      line(t('creditNote.total'), amountMinor, true),
    ],
    note: noteOf(receipt, t),
  };
}
