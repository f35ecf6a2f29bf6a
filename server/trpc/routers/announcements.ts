import { findRow } from '~/server/domain/console/schema';
import { currentAnnouncements, dismissAnnouncement } from '~/server/domain/reference/announcements';
import { router, userProcedure } from '../init';

/** The operators' announcements to all users of the studio. */
export const announcementsRouter = router({
  current: userProcedure.query(({ ctx }) => currentAnnouncements(ctx)),
  dismiss: userProcedure.input(findRow).mutation(({ ctx, input }) => dismissAnnouncement(ctx, input)),
});
