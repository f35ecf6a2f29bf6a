import { ChoiceField, TextField } from '~/app/components/fields';
import { SectionForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { TEAM_ROLES } from '~/server/domain/team/kinds';

const INITIAL = { email: '', role: 'editor' };

/** Sends an invitation by email. Each role's permissions are stated beside its choice. */
export function InviteForm({ failure, isAlone }: { failure?: FormFailure; isAlone: boolean }) {
  const { t } = useTranslation('team');
  const options = TEAM_ROLES.map((role) => ({ value: role, label: t(`role.${role}`), help: t(`role.${role}Help`) }));
  return (
    <SectionForm
      intent="invite"
      title={t(isAlone ? 'invite.first' : 'invite.title')}
      initial={INITIAL}
      failure={failure}
      submit={t('invite.submit')}
    >
      <TextField name="email" type="email" label={t('invite.email')} help={t('invite.emailHelp')} autoComplete="off" />
      <ChoiceField name="role" label={t('invite.role')} options={options} />
    </SectionForm>
  );
}
