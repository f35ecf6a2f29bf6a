import type { Paths } from '~/app/lib/paths';

type Asked = { month: string; currency: string };

/** The path of a statement, as a page or as a file. */
export const statementPath = (
  { money }: Paths,
  { month, currency }: Asked,
  format: '' | '.pdf' | '.csv' = '',
): string => `${money}/statement${format}?month=${month}&currency=${currency}`;

type PaperKind = 'invoice' | 'credit_note';
const FILES: Record<PaperKind, string> = { invoice: 'invoice.pdf', credit_note: 'credit-note.pdf' };

export const paperPath = ({ money }: Paths, id: string, kind: PaperKind): string =>
  `${money}/payouts/${id}/${FILES[kind]}`;

/** The kind of paper that a file name stands for; null for other names. */
export const paperKindOf = (file: string | undefined): PaperKind | null =>
  file === FILES.invoice ? 'invoice' : file === FILES.credit_note ? 'credit_note' : null;
