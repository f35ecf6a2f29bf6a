import { applyTemplate as apply } from '~/server/domain/insertions/apply-template';
import { convertClip as convert, recoverConversions } from '~/server/domain/insertions/convert-clip';
import { endUnplanned as endAll } from '~/server/domain/insertions/end-unplanned';
import { prepareEpisode as prepare } from '~/server/domain/insertions/prepare-episode';
import { releaseReservations as release, sweepRenditions } from '~/server/domain/insertions/release-reservations';
import { sweepDeletedClips } from '~/server/domain/insertions/remove-clip';
import { refreshServed as refresh, refreshDue as refreshAll } from '~/server/domain/insertions/served-lengths';
import {
  applyTemplate,
  convertClip,
  endUnplanned,
  prepareEpisode,
  refreshDue,
  refreshServed,
  releaseReservations,
  sweepClips,
} from '~/server/queue/jobs/insertions';
import { handle } from './handle';

export const insertionHandlers = [
  handle(convertClip, ({ versionId }, ctx) => convert(ctx, versionId)),
  handle(applyTemplate, (payload, ctx) => apply(ctx, payload)),
  handle(endUnplanned, (_, ctx) => endAll(ctx)),
  handle(prepareEpisode, ({ episodeId }, ctx) => prepare(ctx, episodeId)),
  handle(sweepClips, async (_, ctx) => {
    await recoverConversions(ctx);
    await sweepDeletedClips(ctx);
  }),
  handle(refreshServed, (payload, ctx) => refresh(ctx, payload)),
  handle(refreshDue, (_, ctx) => refreshAll(ctx)),
  handle(releaseReservations, async (_, ctx) => {
    await release(ctx);
    await sweepRenditions(ctx);
  }),
];
