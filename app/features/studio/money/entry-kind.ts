import type { StatementEntry } from '~/server/domain/payouts/statements';

/** What a statement calls an entry. Nothing is sold by a donation. */
export const kindOf = ({ kind, sale }: Pick<StatementEntry, 'kind' | 'sale'>): string =>
  kind === 'sale' && sale?.purpose === 'donation' ? 'donation' : kind;
