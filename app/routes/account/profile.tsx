import { useActionData, useLoaderData } from '@remix-run/react';
import { TextField } from '~/app/components/fields';
import { SectionForm } from '~/app/features/account/section-form';
import classes from '~/app/features/account/settings.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';

export const loader = page(async ({ api, context }) => {
  const { name } = await api.accounts.me();
  return { initial: { name }, title: translator(context.language, 'account')('tabs.profile') };
});

export const action = form(
  sectionAction({
    profile: async ({ api }, { name }) => {
      await api.accounts.update({ name } as never);
      return 'profile_saved';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).profile, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Profile() {
  const { t } = useTranslation('account');
  const { initial } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <div className={classes.sections}>
      <SectionForm
        intent="profile"
        title={t('profile.title')}
        initial={initial}
        failure={failure}
        submit={t('profile.save')}
      >
        <TextField
          name="name"
          label={t('profile.name')}
          maxLength={ACCOUNT_LIMITS.nameLength}
          autoComplete="name"
          required
        />
      </SectionForm>
    </div>
  );
}
