import { openCampaignReport } from '~/server/domain/statistics/campaign-report';
import { statisticsOfEpisode } from '~/server/domain/statistics/episode-statistics';
import { homeFigures } from '~/server/domain/statistics/home-figures';
import { liveFigures } from '~/server/domain/statistics/live-figures';
import { reportOfMonth } from '~/server/domain/statistics/month-report';
import { heardOfShow, retentionOfEpisode } from '~/server/domain/statistics/retention';
import { salesStatisticsOfCreator, salesStatisticsOfShow } from '~/server/domain/statistics/sales-statistics';
import * as schema from '~/server/domain/statistics/schema';
import { overviewOfShow } from '~/server/domain/statistics/show-overview';
import { statisticsOfCreator, statisticsOfShow } from '~/server/domain/statistics/show-statistics';
import { createSponsorLink, listSponsorLinks, revokeSponsorLink } from '~/server/domain/statistics/sponsor-links';
import { openSponsorPage } from '~/server/domain/statistics/sponsor-page';
import { creatorProcedure, limited, limitedCreator, router } from '../init';

export const statisticsRouter = router({
  home: creatorProcedure.meta({ openTo: 'creator.readStatistics' }).query(({ ctx }) => homeFigures(ctx)),
  ofCreator: creatorProcedure
    .meta({ openTo: 'creator.readStatistics' })
    .input(schema.creatorStatistics)
    .query(({ ctx, input }) => statisticsOfCreator(ctx, input)),
  ofShow: creatorProcedure.input(schema.showStatistics).query(({ ctx, input }) => statisticsOfShow(ctx, input)),
  salesOfCreator: creatorProcedure
    .meta({ openTo: 'creator.readPayouts' })
    .input(schema.creatorSales)
    .query(({ ctx, input }) => salesStatisticsOfCreator(ctx, input)),
  salesOfShow: creatorProcedure.input(schema.showSales).query(({ ctx, input }) => salesStatisticsOfShow(ctx, input)),
  overview: creatorProcedure.input(schema.showOverview).query(({ ctx, input }) => overviewOfShow(ctx, input)),
  monthReport: creatorProcedure
    .meta({ openTo: 'creator.readStatistics' })
    .input(schema.monthReport)
    .query(({ ctx, input }) => reportOfMonth(ctx, input)),
  live: creatorProcedure.input(schema.showOverview).query(({ ctx, input }) => liveFigures(ctx, input)),
  sponsorLinks: creatorProcedure.input(schema.listSponsorLinks).query(({ ctx, input }) => listSponsorLinks(ctx, input)),
  createSponsorLink: limitedCreator('createSponsorLink')
    .input(schema.createSponsorLink)
    .mutation(({ ctx, input }) => createSponsorLink(ctx, input)),
  revokeSponsorLink: creatorProcedure
    .input(schema.findSponsorLink)
    .mutation(({ ctx, input }) => revokeSponsorLink(ctx, input)),
  sponsorPage: limited('viewFigures')
    .input(schema.openSponsorPage)
    .query(({ ctx, input }) => openSponsorPage(ctx, input)),
  campaignReport: limited('viewFigures')
    .input(schema.openSponsorPage)
    .query(({ ctx, input }) => openCampaignReport(ctx, input)),
  heardOfShow: creatorProcedure.input(schema.showOverview).query(({ ctx, input }) => heardOfShow(ctx, input)),
  retention: creatorProcedure.input(schema.showOverview).query(({ ctx, input }) => retentionOfEpisode(ctx, input)),
  ofEpisode: creatorProcedure
    .input(schema.episodeStatistics)
    .query(({ ctx, input }) => statisticsOfEpisode(ctx, input)),
});
