import { latestContactImport, listImportProblems } from '~/server/domain/audience/contact-imports';
import { previewContacts, requestContactImport } from '~/server/domain/audience/request-contact-import';
import * as schema from '~/server/domain/audience/schema';
import { creatorProcedure, limitedCreator, router } from '../init';

/** Files of contacts from other services. */
export const contactImportsRouter = router({
  latest: creatorProcedure.meta({ openTo: 'creator.manageContacts' }).query(({ ctx }) => latestContactImport(ctx)),
  preview: limitedCreator('previewContacts')
    .input(schema.previewContacts)
    .query(({ ctx, input }) => previewContacts(ctx, input)),
  problems: creatorProcedure
    .input(schema.exportImportProblems)
    .query(({ ctx, input }) => listImportProblems(ctx, input)),
  request: limitedCreator('importContacts')
    .input(schema.importContacts)
    .mutation(({ ctx, input }) => requestContactImport(ctx, input)),
});
