import { findRow } from '~/server/domain/console/schema';
import { currentAnnouncements, dismissAnnouncement } from '~/server/domain/reference/announcements';
import { router, userProcedure } from '../init';

/** What operators tell everybody who uses the studio. */
export const announcementsRouter = router({
  current: userProcedure.query(({ ctx }) => currentAnnouncements(ctx)),
  dismiss: userProcedure.input(findRow).mutation(({ ctx, input }) => dismissAnnouncement(ctx, input)),
});
