import type { HomeFigures } from '~/server/domain/statistics/home-figures';

/** Whether anybody has paid, donated or left an address. */
export const hasPeople = ({ customers, sales, contacts, donations }: HomeFigures): boolean =>
  [customers, contacts].some((people) => people !== null && people.total > 0) ||
  [...(sales ?? []), ...(donations ?? [])].some(({ now, before }) => now + before > 0);

/** Whether anybody has listened in the last 60 days, as far as it is known. */
export const hasPlays = ({ plays }: HomeFigures): boolean =>
  plays !== null && [plays.last30, plays.before30].some(({ listens, downloads }) => listens + downloads > 0);
