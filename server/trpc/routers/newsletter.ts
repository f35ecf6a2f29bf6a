import { addSendingDomain } from '~/server/domain/newsletter/add-sending-domain';
import { deleteAutomation, renameAutomation } from '~/server/domain/newsletter/change-automation';
import { changeDomainSender } from '~/server/domain/newsletter/change-domain-sender';
import { endRecommendation, recommendNewsletter } from '~/server/domain/newsletter/change-recommendations';
import { addStep, delayStep, removeStep } from '~/server/domain/newsletter/change-steps';
import { checkLinks } from '~/server/domain/newsletter/check-links';
import { checkSendingDomain } from '~/server/domain/newsletter/check-sending-domain';
import { createAutomation } from '~/server/domain/newsletter/create-automation';
import { duplicateEdition } from '~/server/domain/newsletter/duplicate-edition';
import {
  createEdition,
  deleteEdition,
  keepText,
  restoreVersion,
  updateEdition,
} from '~/server/domain/newsletter/edit-edition';
import { editionChoices } from '~/server/domain/newsletter/edition-choices';
import { findArchive, findArchived } from '~/server/domain/newsletter/edition-page';
import { listVersions } from '~/server/domain/newsletter/edition-versions';
import { findRecommendable } from '~/server/domain/newsletter/find-recommendable';
import { joinRecommended } from '~/server/domain/newsletter/join-recommended';
import { findAutomation, listAutomations } from '~/server/domain/newsletter/list-automations';
import {
  findEdition,
  findEmailsLeft,
  findReach,
  findRevision,
  listEditions,
} from '~/server/domain/newsletter/list-editions';
import { findNewsletterSettings, saveNewsletter } from '~/server/domain/newsletter/newsletter-settings';
import { previewEdition } from '~/server/domain/newsletter/preview-edition';
import { findOffered, listOwnRecommendations } from '~/server/domain/newsletter/recommended-newsletters';
import { removeSendingDomain } from '~/server/domain/newsletter/remove-sending-domain';
import { resumeEdition } from '~/server/domain/newsletter/resume-edition';
import * as schema from '~/server/domain/newsletter/schema';
import { cancelEdition, sendEdition } from '~/server/domain/newsletter/send-edition';
import { sendTest } from '~/server/domain/newsletter/send-test';
import { listSendingDomains } from '~/server/domain/newsletter/sending-domains';
import { stopWelcome } from '~/server/domain/newsletter/stop-welcome';
import { switchAutomation } from '~/server/domain/newsletter/switch-automation';
import { confirmSender, resendSenderEmail, senderLink } from '~/server/domain/newsletter/verify-sender';
import {
  creatorProcedure,
  limited,
  limitedCreator,
  limitedForCreator,
  limitedUser,
  publicProcedure,
  router,
} from '../init';

/** The newsletter of the creator for whom the user works. */
export const newsletterRouter = router({
  settings: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .query(({ ctx }) => findNewsletterSettings(ctx)),
  archive: publicProcedure.input(schema.findArchive).query(({ ctx, input }) => findArchive(ctx, input)),
  archived: publicProcedure.input(schema.findArchived).query(({ ctx, input }) => findArchived(ctx, input)),
  saveSettings: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .input(schema.saveNewsletter)
    .mutation(({ ctx, input }) => saveNewsletter(ctx, input)),
  recommendations: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .query(({ ctx }) => listOwnRecommendations(ctx)),
  findRecommendable: limitedCreator('recommendable')
    .meta({ openTo: 'creator.manageNewsletter' })
    .input(schema.findRecommendable)
    .query(({ ctx, input }) => findRecommendable(ctx, input)),
  recommend: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .input(schema.changeRecommendation)
    .mutation(({ ctx, input }) => recommendNewsletter(ctx, input)),
  endRecommendation: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .input(schema.changeRecommendation)
    .mutation(({ ctx, input }) => endRecommendation(ctx, input)),
  offered: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.confirmedLink)
    .query(({ ctx, input }) => findOffered(ctx, input)),
  joinRecommended: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.joinRecommended)
    .mutation(({ ctx, input }) => joinRecommended(ctx, input)),
  resendSender: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .mutation(({ ctx }) => resendSenderEmail(ctx)),
  senderLink: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.senderLink)
    .query(({ ctx, input }) => senderLink(ctx, input)),
  confirmSender: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.senderLink)
    .mutation(({ ctx, input }) => confirmSender(ctx, input)),
  domains: creatorProcedure.meta({ openTo: 'creator.manageDomains' }).query(({ ctx }) => listSendingDomains(ctx)),
  addDomain: limitedCreator('domainAdd')
    .meta({ openTo: 'creator.manageDomains' })
    .input(schema.addSendingDomain)
    .mutation(({ ctx, input }) => addSendingDomain(ctx, input)),
  checkDomain: limitedCreator('domainCheck')
    .input(schema.findSendingDomain)
    .mutation(({ ctx, input }) => checkSendingDomain(ctx, input)),
  changeDomainSender: creatorProcedure
    .input(schema.changeDomainSender)
    .mutation(({ ctx, input }) => changeDomainSender(ctx, input)),
  removeDomain: creatorProcedure
    .input(schema.findSendingDomain)
    .mutation(({ ctx, input }) => removeSendingDomain(ctx, input)),
});

/** Its editions. */
export const editionsRouter = router({
  list: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .input(schema.listEditions)
    .query(({ ctx, input }) => listEditions(ctx, input)),
  get: creatorProcedure.input(schema.findEdition).query(({ ctx, input }) => findEdition(ctx, input)),
  versions: creatorProcedure.input(schema.findEdition).query(({ ctx, input }) => listVersions(ctx, input)),
  saved: creatorProcedure.input(schema.findEdition).query(({ ctx, input }) => findRevision(ctx, input)),
  emailsLeft: creatorProcedure.meta({ openTo: 'creator.manageNewsletter' }).query(({ ctx }) => findEmailsLeft(ctx)),
  choices: creatorProcedure.meta({ openTo: 'creator.manageNewsletter' }).query(({ ctx }) => editionChoices(ctx)),
  reach: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .input(schema.findReach)
    .query(({ ctx, input }) => findReach(ctx, input)),
  preview: creatorProcedure.input(schema.previewEdition).query(({ ctx, input }) => previewEdition(ctx, input)),
  create: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .input(schema.createEdition)
    .mutation(({ ctx, input }) => createEdition(ctx, input)),
  update: creatorProcedure.input(schema.updateEdition).mutation(({ ctx, input }) => updateEdition(ctx, input)),
  keepText: creatorProcedure.input(schema.keepText).mutation(({ ctx, input }) => keepText(ctx, input)),
  restore: creatorProcedure.input(schema.restoreVersion).mutation(({ ctx, input }) => restoreVersion(ctx, input)),
  delete: creatorProcedure.input(schema.findEdition).mutation(({ ctx, input }) => deleteEdition(ctx, input)),
  sendTest: limitedUser('editionTest')
    .input(schema.sendTest)
    .mutation(({ ctx, input }) => sendTest(ctx, input)),
  checkLinks: limitedForCreator('checkLinks')
    .input(schema.findEdition)
    .mutation(({ ctx, input }) => checkLinks(ctx, input)),
  send: creatorProcedure.input(schema.sendEdition).mutation(({ ctx, input }) => sendEdition(ctx, input)),
  duplicate: creatorProcedure.input(schema.findEdition).mutation(({ ctx, input }) => duplicateEdition(ctx, input)),
  resume: creatorProcedure.input(schema.findEdition).mutation(({ ctx, input }) => resumeEdition(ctx, input)),
  cancel: creatorProcedure.input(schema.findEdition).mutation(({ ctx, input }) => cancelEdition(ctx, input)),
});

/** Its automations. The text of a step is that of an edition. */
export const automationsRouter = router({
  list: creatorProcedure.meta({ openTo: 'creator.manageNewsletter' }).query(({ ctx }) => listAutomations(ctx)),
  get: creatorProcedure.input(schema.findAutomation).query(({ ctx, input }) => findAutomation(ctx, input)),
  create: creatorProcedure
    .meta({ openTo: 'creator.manageNewsletter' })
    .input(schema.createAutomation)
    .mutation(({ ctx, input }) => createAutomation(ctx, input)),
  rename: creatorProcedure.input(schema.renameAutomation).mutation(({ ctx, input }) => renameAutomation(ctx, input)),
  switch: creatorProcedure.input(schema.switchAutomation).mutation(({ ctx, input }) => switchAutomation(ctx, input)),
  delete: creatorProcedure.input(schema.findAutomation).mutation(({ ctx, input }) => deleteAutomation(ctx, input)),
  addStep: creatorProcedure.input(schema.findAutomation).mutation(({ ctx, input }) => addStep(ctx, input)),
  delayStep: creatorProcedure.input(schema.delayStep).mutation(({ ctx, input }) => delayStep(ctx, input)),
  removeStep: creatorProcedure.input(schema.findStep).mutation(({ ctx, input }) => removeStep(ctx, input)),
  stopWelcome: creatorProcedure.meta({ openTo: 'creator.manageNewsletter' }).mutation(({ ctx }) => stopWelcome(ctx)),
});
