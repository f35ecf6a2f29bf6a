import { exportHistoryProblems, previewHistory, saveHistory } from '~/server/domain/statistics/import-history';
import { listImportedSources, removeHistory } from '~/server/domain/statistics/imported-sources';
import * as schema from '~/server/domain/statistics/schema';
import { creatorProcedure, limitedCreator, router } from '../init';

/** Statistics of other hosts, which are shown beside ours. */
export const importedHistoryRouter = router({
  sources: creatorProcedure.input(schema.showOverview).query(({ ctx, input }) => listImportedSources(ctx, input)),
  preview: limitedCreator('readHistory')
    .input(schema.previewHistory)
    .query(({ ctx, input }) => previewHistory(ctx, input)),
  problems: limitedCreator('readHistory')
    .input(schema.previewHistory)
    .query(({ ctx, input }) => exportHistoryProblems(ctx, input)),
  save: limitedCreator('readHistory')
    .input(schema.saveHistory)
    .mutation(({ ctx, input }) => saveHistory(ctx, input)),
  remove: creatorProcedure.input(schema.removeHistory).mutation(({ ctx, input }) => removeHistory(ctx, input)),
});
