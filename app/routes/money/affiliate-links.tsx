import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { programmeNumbers, programmePath } from '~/app/features/site/marketing/affiliates-data.server';
import { AffiliateSections } from '~/app/features/studio/money/affiliate-sections';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The creator's links of the affiliate programme, and what they have brought. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).claimPageFor(url.pathname));
  await requireAbility(door, 'creator.manageAffiliates');
  return {
    ...(await api.affiliates.page()),
    numbers: programmeNumbers(context.locale),
    programme: programmePath(prefixOf(url.pathname)),
    title: translator(context.language, 'affiliates')('title'),
  };
});

export const action = form(
  sectionAction({
    join: async ({ api }) => {
      await api.affiliates.join({ terms: true });
      return 'affiliate_joined';
    },
    add: async ({ api }, { name = '', linkCode = '' }) => {
      await api.affiliates.createLink({ name, linkCode });
      return 'affiliate_link_added';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).affiliates, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function AffiliateLinks() {
  const { t } = useTranslation('affiliates');
  const { numbers, ...view } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead', numbers)} help="affiliates" />
      <AffiliateSections {...view} numbers={numbers} failure={useActionData<FormFailure>()} />
    </>
  );
}
