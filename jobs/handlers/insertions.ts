import { convertClip as convert, recoverConversions } from '~/server/domain/insertions/convert-clip';
import { prepareEpisode as prepare } from '~/server/domain/insertions/prepare-episode';
import { sweepDeletedClips } from '~/server/domain/insertions/remove-clip';
import { releaseReservations as release } from '~/server/domain/insertions/release-reservations';
import { refreshServed as refresh, refreshDue as refreshAll } from '~/server/domain/insertions/served-lengths';
import { convertClip, prepareEpisode, refreshDue, refreshServed, releaseReservations, sweepClips } from '~/server/queue/jobs/insertions';
import { handle } from './handle';

export const insertionHandlers = [
  handle(convertClip, ({ versionId }, ctx) => convert(ctx, versionId)),
  handle(prepareEpisode, ({ episodeId }, ctx) => prepare(ctx, episodeId)),
  handle(sweepClips, async (_, ctx) => {
    await recoverConversions(ctx);
    await sweepDeletedClips(ctx);
  }),
  handle(refreshServed, (payload, ctx) => refresh(ctx, payload)),
  handle(refreshDue, (_, ctx) => refreshAll(ctx)),
  handle(releaseReservations, (_, ctx) => release(ctx)),
];
