import { redirect } from '@remix-run/node';
import { CheckField, TextField } from '~/app/components/fields';
import { PageHeader } from '~/app/components/page-header';
import headerClasses from '~/app/components/page-header.module.css';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { IntentForm } from '~/app/features/listener/account/section-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useActionData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { CONTACT_LIMITS } from '~/server/limits/audience';

export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  await requireAbility(door, 'creator.manageContacts');
  return { title: translator(context.language, 'audience')('add') };
});

export const action = form(({ api }, { intent: _, ...values }) => api.contacts.add(values as never), {
  then: ({ id }, { url }) => withDoneMessage(pathsFor(url).audienceContact(id), 'contact_added'),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function NewContact() {
  const { t } = useTranslation('audience');
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const { audience } = usePaths();
  return (
    <>
      <PageHeader title={t('add')} back={<Link to={audience}>{t('title')}</Link>} />
      <div className={headerClasses.form}>
        <IntentForm
          intent="add"
          initial={{ email: '', name: '', tags: '', hasAgreed: 'false' }}
          failure={failure}
          submit={t('form.add')}
        >
          <TextField name="email" type="email" label={t('form.email')} autoComplete="off" />
          <TextField name="name" label={t('form.name')} maxLength={CONTACT_LIMITS.name} autoComplete="off" />
          <TextField name="tags" label={t('form.tags')} help={t('form.tagsHelp')} autoComplete="off" />
          <CheckField name="hasAgreed" label={t('form.agreed')} help={t('form.agreedHelp')} />
        </IntentForm>
      </div>
    </>
  );
}
