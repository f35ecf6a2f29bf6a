import type { Door } from '~/app/lib/doors.server';
import type { PeriodStatistics } from '~/server/domain/statistics/period-statistics';
import type { SalesStatistics } from '~/server/domain/statistics/sales-statistics';
import { roleMay } from '~/server/policy/roles';
import type { MetricQuery } from './metric-query';

type Loaded = { statistics: Pick<PeriodStatistics, 'period' | 'filters'> };

/**
 * Subscribers and money of the period that a page shows. Null for members of the team who may not see them, as the
 * procedure checks again, and where plays are filtered: people who pay have no app.
 */
export async function loadSales(
  { api }: Door,
  { statistics: { period, filters } }: Loaded,
  read: (query: MetricQuery) => Promise<SalesStatistics>,
): Promise<SalesStatistics | null> {
  if (filters.country !== undefined || filters.app !== undefined) return null;
  const { role } = await api.accounts.me();
  return roleMay(role, 'product.readBuyers') && roleMay(role, 'creator.readPayouts') ? read(period) : null;
}
