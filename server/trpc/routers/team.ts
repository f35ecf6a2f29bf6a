import { acceptInvitation, openInvitation } from '~/server/domain/team/accept-invitation';
import { listActivity } from '~/server/domain/team/activity';
import { inviteMember, resendInvitation, revokeInvitation } from '~/server/domain/team/invite-member';
import { changeRole, leaveTeam, removeMember } from '~/server/domain/team/membership';
import { findTeam, listWorkplaces } from '~/server/domain/team/queries';
import * as schema from '~/server/domain/team/schema';
import { switchCreator } from '~/server/domain/team/switch-creator';
import { creatorProcedure, limited, limitedUser, router, userProcedure } from '../init';

/** The people who work for a creator page, and their activity log. */
export const teamRouter = router({
  get: creatorProcedure.meta({ openTo: 'creator.readTeam' }).query(({ ctx }) => findTeam(ctx)),
  activity: creatorProcedure
    .meta({ openTo: 'creator.readActivity' })
    .input(schema.listActivity)
    .query(({ ctx, input }) => listActivity(ctx, input)),
  invite: limitedUser('publicWrite')
    .input(schema.invite)
    .mutation(({ ctx, input }) => inviteMember(ctx, input)),
  resendInvitation: limitedUser('publicWrite')
    .input(schema.findInvitation)
    .mutation(({ ctx, input }) => resendInvitation(ctx, input)),
  revokeInvitation: creatorProcedure
    .input(schema.findInvitation)
    .mutation(({ ctx, input }) => revokeInvitation(ctx, input)),
  invitation: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.invitationLink)
    .query(({ ctx, input }) => openInvitation(ctx, input)),
  acceptInvitation: limitedUser('verifyEmail')
    .input(schema.invitationLink)
    .mutation(({ ctx, input }) => acceptInvitation(ctx, input)),
  changeRole: creatorProcedure.input(schema.changeRole).mutation(({ ctx, input }) => changeRole(ctx, input)),
  removeMember: creatorProcedure.input(schema.findMember).mutation(({ ctx, input }) => removeMember(ctx, input)),
  leave: creatorProcedure.mutation(({ ctx }) => leaveTeam(ctx)),
  workplaces: userProcedure.query(({ ctx }) => listWorkplaces(ctx)),
  switch: userProcedure.input(schema.switchCreator).mutation(({ ctx, input }) => switchCreator(ctx, input)),
});
