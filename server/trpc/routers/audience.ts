import { chooseShow, eraseOwnContact, saveChoices, stopAllEmails } from '~/server/domain/audience/change-own-contact';
import { confirmJoin, joinLink, joinNewsletter } from '~/server/domain/audience/join-newsletter';
import { leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { findOwnContact } from '~/server/domain/audience/own-contact';
import * as schema from '~/server/domain/audience/schema';
import { collectOwnNewsletterData } from '~/server/domain/newsletter/own-newsletter-data';
import { limited, limitedInvalid, router } from '../init';

export const audienceRouter = router({
  joinNewsletter: limited('joinNewsletter')
    .input(schema.joinNewsletter)
    .mutation(({ ctx, input }) => joinNewsletter(ctx, input)),
  joinLink: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .query(({ ctx, input }) => joinLink(ctx, input)),
  confirmJoin: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.confirmJoin)
    .mutation(({ ctx, input }) => confirmJoin(ctx, input)),
  ownContact: limitedInvalid
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .query(({ ctx, input }) => findOwnContact(ctx, input)),
  ownData: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .query(({ ctx, input }) => collectOwnNewsletterData(ctx, input)),
  stopAllEmails: limitedInvalid
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .mutation(({ ctx, input }) => stopAllEmails(ctx, input)),
  chooseShow: limited('publicWrite')
    .input(schema.chooseShow)
    .mutation(({ ctx, input }) => chooseShow(ctx, input)),
  saveChoices: limited('publicWrite')
    .input(schema.saveChoices)
    .mutation(({ ctx, input }) => saveChoices(ctx, input)),
  eraseOwnContact: limited('publicWrite')
    .input(schema.eraseOwn)
    .mutation(({ ctx, input }) => eraseOwnContact(ctx, input)),
  leaveNewsletter: limitedInvalid
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .mutation(({ ctx, input }) => leaveNewsletter(ctx, input)),
});
