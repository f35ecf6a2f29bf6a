import { sweepPending } from '~/server/domain/audience/erase-contacts';
import { queueJoinLink } from '~/server/domain/audience/join-newsletter';
import { keepFollower, keepListener } from '~/server/domain/audience/keep-contact';
import { moveContacts } from '~/server/domain/audience/move-contacts';
import { recoverContactImports, runContactImport } from '~/server/domain/audience/run-contact-import';
import { sweepDeleted } from '~/server/domain/audience/suppressions';
import { forgetReaders } from '~/server/domain/audience/tracking-consents';
import { sweepChanges } from '~/server/domain/audience/undo-contact-change';
import { moveSeries } from '~/server/domain/newsletter/move-series';
import {
  forgetReaders as forgetReadersJob,
  importContacts,
  keepFollower as keepFollowerJob,
  keepListener as keepListenerJob,
  moveContacts as moveContactsJob,
  sendJoinLink,
  sweepContacts,
} from '~/server/queue/jobs/audience';
import { handle } from './handle';

export const audienceHandlers = [
  handle(sendJoinLink, (payload, ctx) => queueJoinLink(ctx, payload)),
  handle(keepListenerJob, (payload, ctx) => keepListener(ctx, payload)),
  handle(keepFollowerJob, (payload, ctx) => keepFollower(ctx, payload)),
  handle(moveContactsJob, (payload, ctx) => moveContacts(ctx, payload, moveSeries)),
  handle(importContacts, ({ importId }, ctx) => runContactImport(ctx, importId)),
  handle(forgetReadersJob, (payload, ctx) => forgetReaders(ctx, payload)),
  handle(sweepContacts, async (_, ctx) => {
    await sweepPending(ctx);
    await sweepChanges(ctx);
    await sweepDeleted(ctx);
    await recoverContactImports(ctx);
  }),
];
