import type { StatementEntry } from '~/server/domain/payouts/statements';

/** The kind of an entry on a statement. A donation is booked as a sale, but sells nothing. */
export const kindOf = ({ kind, sale }: Pick<StatementEntry, 'kind' | 'sale'>): string =>
  kind === 'sale' && sale?.purpose === 'donation' ? 'donation' : kind;
