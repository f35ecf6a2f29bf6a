import { redirect } from '@remix-run/node';
import { DmarcReport } from '~/app/components/dmarc-report';
import { PageHeader } from '~/app/components/page-header';
import { SendingDomains } from '~/app/features/studio/newsletter/sending-domains';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The domains that a newsletter is sent from, with their records. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  await requireAbility(door, 'creator.manageDomains');
  const listed = await api.newsletter.domains();
  return { title: translator(context.language, 'sending')('title'), ...listed };
});

export const action = form(
  sectionAction({
    add: async ({ api }, { domain = '', localPart = '' }) => {
      await api.newsletter.addDomain({ domain, localPart });
      return 'domain_added';
    },
    check: async ({ api }, { id }) => {
      const { state, isUnanswered } = await api.newsletter.checkDomain({ id: id ?? '' });
      if (isUnanswered) return 'domain_unanswered';
      return state === 'verified' ? 'domain_verified' : 'domain_incomplete';
    },
    sender: async ({ api }, { id, localPart = '' }) => {
      await api.newsletter.changeDomainSender({ id: id ?? '', localPart });
      return 'domain_sender_changed';
    },
    remove: async ({ api }, { id }) => {
      await api.newsletter.removeDomain({ id: id ?? '' });
      return 'domain_removed';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).sendingDomain, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SendingDomainPage() {
  const { t } = useTranslation('sending');
  const { t: inEditions } = useTranslation('editions');
  const { domains, platform, dmarc } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        back={<Link to={paths.newsletterSettings}>{inEditions('settings.title')}</Link>}
        help="newsletterDomain"
      />
      <SendingDomains domains={domains} platform={platform} failure={failure} />
      {dmarc && <DmarcReport rate={dmarc} />}
    </>
  );
}
