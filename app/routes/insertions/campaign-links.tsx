import type { HeadersFunction } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { SponsorLinks } from '~/app/features/studio/statistics/sponsor-links';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { parseId, productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The links by which sponsors see the report of a campaign. */
export const loader = page(async (door) => {
  await requireAbility(door, 'campaign.manage');
  const { show, campaignId } = refsOf(door);
  const [{ name }, links] = await Promise.all([
    door.api.campaigns.get({ id: campaignId }),
    door.api.statistics.sponsorLinks({ ...show, campaignId }),
  ]);
  const title = `${translator(door.context.language, 'campaigns')('report.title')}: ${name}`;
  return { title, show, campaign: { id: campaignId, name }, links };
});

const refsOf = (door: Pick<Door, 'params' | 'url'>) => ({
  show: productRef(door),
  campaignId: parseId(door.params.campaignId),
});

type Made = { ok: true; url: string };

export const action = form<string | Made>(
  sectionAction<string | Made>({
    create: async (door, values) => {
      const { show, campaignId } = refsOf(door);
      const input = { ...values, ...show, campaignId } as never;
      return { ok: true, ...(await door.api.statistics.createSponsorLink(input)) };
    },
    revoke: async (door, { linkId }) => {
      await door.api.statistics.revokeSponsorLink({ ...refsOf(door).show, linkId: Number(linkId) || 0 });
      return 'sponsor_link_revoked';
    },
  }),
  {
    // the address is shown once, so it is in the answer and not in a redirect
    then: (done, door) => {
      if (typeof done !== 'string') return Response.json(done, { headers: { 'cache-control': 'no-store' } });
      const { show, campaignId } = refsOf(door);
      return withDoneMessage(pathsFor(door.url).campaignLinks(show, campaignId), done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;
/** The answer to the form contains the address of a new link. */
export const headers: HeadersFunction = () => ({ 'cache-control': 'no-store' });

export default function CampaignLinks() {
  const { t } = useTranslation('campaigns');
  const paths = usePaths();
  const { show, campaign, links } = useLoaderData<typeof loader>();
  const result = useActionData<FormFailure | Made>();
  return (
    <>
      <PageHeader
        title={t('report.title')}
        lead={t('report.lead')}
        back={<Link to={paths.campaign(show, campaign.id)}>{campaign.name}</Link>}
      />
      <SponsorLinks
        links={links}
        madeUrl={result?.ok ? result.url : null}
        failure={result?.ok === false ? result : undefined}
      />
    </>
  );
}
