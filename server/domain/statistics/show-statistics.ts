import type { Filters, Scope } from '../../adapters/statistics/port';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { findProductRecord } from '../products/queries';
import { type EpisodeFigures, figuresOf, latestReleases, listenersOf } from './first-hours';
import { type ImportedPlays, importedPlaysOf } from './imported-plays';
import { type PeriodStatistics, statisticsOf } from './period-statistics';
import { isFiltered, type Period, resolvePeriod } from './rules';
import type { CreatorStatisticsInput, ShowStatisticsInput } from './schema';
import { type ShowSales, salesOfShow } from './show-sales';

/** `imported`: figures of other hosts, which are in no sum. */
export type CreatorStatistics = PeriodStatistics & { imported: ImportedPlays };

/** `listeners`: the average plays in the first 24 hours of the last 3 episodes (spec §9); null without such episodes. */
export type ShowStatistics = CreatorStatistics & {
  episodes: EpisodeFigures[];
  listeners: number | null;
  sales: ShowSales | null;
};

/**
 * The figures of a show in a period of local days.
 * @throws product.not_found, common.role_not_allowed, and as resolvePeriod
 */
export async function statisticsOfShow(ctx: Ctx, input: ShowStatisticsInput): Promise<ShowStatistics> {
  const { id, kind, country, app } = input;
  const { product } = await findProductRecord(ctx, id, kind);
  const { creatorId } = authorize(ctx, 'product.read', product);
  authorize(ctx, 'creator.readStatistics', { id: creatorId });
  const scope = { creatorId, productId: id };
  const period = await periodOf(ctx, creatorId, input);
  const [statistics, released, sales, imported] = await Promise.all([
    statisticsOf(ctx, scope, { period, filters: { country, app } }),
    latestReleases(ctx, id, STATISTICS_LIMITS.sideBySide),
    salesOfShow(ctx, { id, creatorId }, period),
    importedIn(ctx, scope, { period, filters: { country, app } }),
  ]);
  const episodes = await figuresOf(ctx, released, statistics);
  return { ...statistics, episodes, sales, imported, listeners: listenersOf(episodes, ctx.now()) };
}

type Asked = { period: Period; filters: Filters };

/** Another host's figures of one country or app are not known. */
async function importedIn(ctx: Ctx, scope: Scope, { period, filters }: Asked): Promise<ImportedPlays> {
  const imported = await importedPlaysOf(ctx, scope, period);
  return isFiltered(filters) ? { ...imported, series: [] } : imported;
}

/** The figures of all shows of the creator together. @throws common.role_not_allowed, and as resolvePeriod */
export async function statisticsOfCreator(ctx: Ctx, input: CreatorStatisticsInput): Promise<CreatorStatistics> {
  const { id: creatorId } = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  const { country, app } = input;
  const asked = { period: await periodOf(ctx, creatorId, input), filters: { country, app } };
  const [statistics, imported] = await Promise.all([
    statisticsOf(ctx, { creatorId }, asked),
    importedIn(ctx, { creatorId }, asked),
  ]);
  return { ...statistics, imported };
}

/** The period of a request, by default in the creator's time zone. */
export async function periodOf(ctx: Ctx, creatorId: number, input: Omit<CreatorStatisticsInput, 'country' | 'app'>) {
  const zone = input.zone ?? (await findCreator(ctx, creatorId)).timeZone;
  return resolvePeriod(input, { now: ctx.now(), zone });
}
