import { sweepActivity } from '~/server/domain/team/activity';
import { sweepInvitations } from '~/server/domain/team/invite-member';
import { sweepTeams } from '~/server/queue/jobs/team';
import { handle } from './handle';

export const teamHandlers = [
  handle(sweepTeams, async (_, ctx) => {
    await sweepActivity(ctx);
    await sweepInvitations(ctx);
  }),
];
