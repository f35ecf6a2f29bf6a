import { STATISTICS_LIMITS } from '../../limits/statistics';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { findProductRecord } from '../products/queries';
import { type EpisodeFigures, figuresOf, latestReleases, listenersOf } from './first-hours';
import { type ImportedPlays, importedPlaysOf } from './imported-plays';
import { type PeriodStatistics, statisticsOf } from './period-statistics';
import { isFiltered, resolvePeriod } from './rules';
import type { CreatorStatisticsInput, ShowStatisticsInput } from './schema';
import { type ShowSales, salesOfShow } from './show-sales';

/** `listeners`: the average plays in the first 24 hours of the last 3 episodes (spec §9); null without such episodes. */
export type ShowStatistics = PeriodStatistics & {
  episodes: EpisodeFigures[];
  listeners: number | null;
  sales: ShowSales | null;
  imported: ImportedPlays;
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
    importedPlaysOf(ctx, { creatorId, productId: id }, period),
  ]);
  const episodes = await figuresOf(ctx, released, statistics);
  return {
    ...{ ...statistics, episodes, sales, listeners: listenersOf(episodes, ctx.now()) },
    // another host's figures of one country or app are not known
    imported: isFiltered({ country, app }) ? { ...imported, series: [] } : imported,
  };
}

/** The figures of all shows of the creator together. @throws common.role_not_allowed, and as resolvePeriod */
export async function statisticsOfCreator(ctx: Ctx, input: CreatorStatisticsInput): Promise<PeriodStatistics> {
  const { id: creatorId } = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  const { country, app } = input;
  return statisticsOf(ctx, { creatorId }, { period: await periodOf(ctx, creatorId, input), filters: { country, app } });
}

/** The period of a request, by default in the creator's time zone. */
export async function periodOf(ctx: Ctx, creatorId: number, input: Omit<CreatorStatisticsInput, 'country' | 'app'>) {
  const zone = input.zone ?? (await findCreator(ctx, creatorId)).timeZone;
  return resolvePeriod(input, { now: ctx.now(), zone });
}
