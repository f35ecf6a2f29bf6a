import { changeContacts } from '~/server/domain/audience/change-contacts';
import { exportContacts, listContacts } from '~/server/domain/audience/contact-list';
import { findContact } from '~/server/domain/audience/contact-page';
import { addContact, updateContact } from '~/server/domain/audience/edit-contact';
import * as schema from '~/server/domain/audience/schema';
import { deleteSegment, renameSegment, saveSegment } from '~/server/domain/audience/segments';
import { undoContactChange } from '~/server/domain/audience/undo-contact-change';
import { creatorProcedure, limitedUser, router } from '../init';

/** The contacts of the creator for whom the user works. */
export const contactsRouter = router({
  list: creatorProcedure
    .meta({ openTo: 'creator.manageContacts' })
    .input(schema.listContacts)
    .query(({ ctx, input }) => listContacts(ctx, input)),
  get: creatorProcedure.input(schema.findContact).query(({ ctx, input }) => findContact(ctx, input)),
  export: creatorProcedure
    .meta({ openTo: 'creator.exportContacts' })
    .input(schema.exportContacts)
    .query(({ ctx, input }) => exportContacts(ctx, input)),
  add: limitedUser('publicWrite')
    .input(schema.addContact)
    .mutation(({ ctx, input }) => addContact(ctx, input)),
  update: creatorProcedure.input(schema.updateContact).mutation(({ ctx, input }) => updateContact(ctx, input)),
  change: creatorProcedure.input(schema.changeContacts).mutation(({ ctx, input }) => changeContacts(ctx, input)),
  undoChange: creatorProcedure.input(schema.undoChange).mutation(({ ctx, input }) => undoContactChange(ctx, input)),
  saveSegment: creatorProcedure.input(schema.saveSegment).mutation(({ ctx, input }) => saveSegment(ctx, input)),
  renameSegment: creatorProcedure.input(schema.renameSegment).mutation(({ ctx, input }) => renameSegment(ctx, input)),
  deleteSegment: creatorProcedure.input(schema.findContact).mutation(({ ctx, input }) => deleteSegment(ctx, input)),
});
