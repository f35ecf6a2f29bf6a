import type { HomeFigures } from '~/server/domain/statistics/home-figures';

/** Whether anybody has paid, donated or left an address. */
export const hasPeople = ({ customers, sales, contacts, donations }: HomeFigures): boolean =>
  [customers, contacts].some((people) => people !== null && people.total > 0) ||
  [...(sales ?? []), ...(donations ?? [])].some(({ now, before }) => now + before > 0);

/** Whether anybody has listened in the last 60 days. */
export const hasPlays = ({ plays: { last30, before30 } }: HomeFigures): boolean =>
  last30.listens + last30.downloads + before30.listens + before30.downloads > 0;
