import { PageHeader, Section } from '~/app/components/page-header';
import { ActivityList } from '~/app/features/studio/team/activity-list';
import { Invitations } from '~/app/features/studio/team/invitations';
import { InviteForm } from '~/app/features/studio/team/invite-form';
import { People } from '~/app/features/studio/team/people';
import classes from '~/app/features/studio/team/team.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The team's members, and their activity for members who may read it. */
export const loader = page(async ({ api, context, url }) => {
  const { searchParams } = url;
  const asked = { page: searchParams.get('page') ?? 1, userId: searchParams.get('person') || undefined } as never;
  const team = await api.team.get();
  const log = team.canReadActivity ? await api.team.activity(asked) : null;
  return { team, log, person: searchParams.get('person') ?? '', title: translator(context.language, 'team')('title') };
});

const numberOf = (text = '') => Number(text) || 0;

export const action = form(
  sectionAction({
    invite: async ({ api }, values) => {
      await api.team.invite(values as never);
      return 'invitation_sent';
    },
    resend: async ({ api }, { id }) => {
      await api.team.resendInvitation({ id: numberOf(id) });
      return 'invitation_sent';
    },
    revoke: async ({ api }, { id }) => {
      await api.team.revokeInvitation({ id: numberOf(id) });
      return 'invitation_revoked';
    },
    role: async ({ api }, { userId, role }) => {
      await api.team.changeRole({ userId: numberOf(userId), role: role as never });
      return 'role_changed';
    },
    remove: async ({ api }, { userId }) => {
      await api.team.removeMember({ userId: numberOf(userId) });
      return 'member_removed';
    },
    leave: async ({ api }) => {
      await api.team.leave();
      return 'team_left';
    },
    switch: async ({ api }, { creatorId }) => {
      await api.team.switch({ creatorId: numberOf(creatorId) });
      return 'creator_switched';
    },
  }),
  {
    then: (done, { url }) => {
      const { dashboard, team } = pathsFor(url);
      return withDoneMessage(done === 'team_left' || done === 'creator_switched' ? dashboard : team, done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Team() {
  const { t } = useTranslation('team');
  const { team, log, person } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} help="team" />
      <div className={classes.sections}>
        {team.canManage && <InviteForm failure={failure} isAlone={team.people.length === 1} />}
        {team.invitations.length > 0 && <Invitations invitations={team.invitations} failure={failure} />}
        <People team={team} failure={failure} />
        {log && (
          <Section id="activity" title={t('activity.title')}>
            <ActivityList log={log} people={team.people} person={person} />
          </Section>
        )}
      </div>
    </>
  );
}
