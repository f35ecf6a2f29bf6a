import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { LostDomain, OwnDomainLink } from '~/app/features/studio/newsletter/own-domain';
import { PublicationForm } from '~/app/features/studio/newsletter/publication-form';
import { SenderNotice } from '~/app/features/studio/newsletter/sender-notice';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { NEWSLETTER_REQUIRED } from '~/server/domain/newsletter/rules';
import { saveNewsletter } from '~/server/domain/newsletter/schema';

export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  await requireAbility(door, 'creator.manageNewsletter');
  const [newsletter, languages] = await Promise.all([api.newsletter.settings(), api.reference.languages()]);
  return { title: translator(context.language, 'editions')('settings.title'), newsletter, languages };
});

/** Saves the settings, or sends the link that verifies the address for answers again. */
export const action = form(
  async ({ api }, values) => {
    const isLink = values.intent === 'sender';
    if (isLink) await api.newsletter.resendSender();
    else await api.newsletter.saveSettings(toInput(saveNewsletter, values, NEWSLETTER_REQUIRED) as never);
    return isLink;
  },
  {
    then: (isLink, { url }) => {
      const { newsletter, newsletterSettings } = pathsFor(url);
      return isLink
        ? withDoneMessage(newsletterSettings, 'verification_sent')
        : withDoneMessage(newsletter, 'newsletter_saved');
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function NewsletterSettings() {
  const { t } = useTranslation('editions');
  const { newsletter, languages } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('settings.title')}
        lead={t('settings.lead')}
        back={<Link to={paths.newsletter}>{t('title')}</Link>}
      />
      <SenderNotice newsletter={newsletter} failure={failure?.values.intent === 'sender' ? failure : undefined} />
      <LostDomain newsletter={newsletter} />
      <OwnDomainLink />
      <PublicationForm newsletter={newsletter} languages={languages} failure={failure} />
    </>
  );
}
