import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { LostDomain, OwnDomainLink } from '~/app/features/studio/newsletter/own-domain';
import { PublicationForm } from '~/app/features/studio/newsletter/publication-form';
import { Recommendations } from '~/app/features/studio/newsletter/recommendations';
import { SenderNotice } from '~/app/features/studio/newsletter/sender-notice';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { type Section, sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { NEWSLETTER_REQUIRED } from '~/server/domain/newsletter/rules';
import { saveNewsletter } from '~/server/domain/newsletter/schema';
import { RECOMMENDATION_LIMITS } from '~/server/limits/newsletter';

export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  await requireAbility(door, 'creator.manageNewsletter');
  const search = url.searchParams.get('find')?.trim().slice(0, RECOMMENDATION_LIMITS.searchLength) ?? '';
  const [newsletter, languages, recommendations, found] = await Promise.all([
    api.newsletter.settings(),
    api.reference.languages(),
    api.newsletter.recommendations(),
    search === '' ? [] : api.newsletter.findRecommendable({ search }),
  ]);
  const title = translator(context.language, 'editions')('settings.title');
  return { title, newsletter, languages, recommendations, search: search === '' ? null : { search, found } };
});

const OTHER_FORMS: Record<string, Section> = {
  sender: async ({ api }) => {
    await api.newsletter.resendSender();
    return 'verification_sent';
  },
  recommend: async ({ api }, { creatorId = '' }) => {
    await api.newsletter.recommend({ creatorId });
    return 'newsletter_recommended';
  },
  unrecommend: async ({ api }, { creatorId = '' }) => {
    await api.newsletter.endRecommendation({ creatorId });
    return 'recommendation_ended';
  },
};

/** Saves the settings, or what one of the page's other forms says. */
export const action = form(
  async (door, values) => {
    if (values.intent !== undefined) return sectionAction(OTHER_FORMS)(door, values);
    await door.api.newsletter.saveSettings(toInput(saveNewsletter, values, NEWSLETTER_REQUIRED) as never);
    return 'newsletter_saved';
  },
  {
    then: (done, { url }) => {
      const { newsletter, newsletterSettings } = pathsFor(url);
      return withDoneMessage(done === 'newsletter_saved' ? newsletter : newsletterSettings, done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function NewsletterSettings() {
  const { t } = useTranslation('editions');
  const { newsletter, languages, recommendations, search } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const intent = failure?.values.intent;
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('settings.title')}
        lead={t('settings.lead')}
        back={<Link to={paths.newsletter}>{t('title')}</Link>}
      />
      <SenderNotice newsletter={newsletter} failure={intent === 'sender' ? failure : undefined} />
      <LostDomain newsletter={newsletter} />
      <OwnDomainLink />
      <PublicationForm newsletter={newsletter} languages={languages} failure={intent ? undefined : failure} />
      <Recommendations
        own={recommendations}
        search={search}
        failure={intent?.endsWith('recommend') ? failure : undefined}
      />
    </>
  );
}
