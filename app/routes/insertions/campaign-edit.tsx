import { redirect } from '@remix-run/node';
import { useMemo } from 'react';
import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { CampaignForm } from '~/app/features/studio/insertions/campaign-form';
import { initialValues, inputOf, tickedBy } from '~/app/features/studio/insertions/campaign-values';
import { loadCampaignChoices, takeNewClip } from '~/app/features/studio/insertions/save-campaign.server';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { parseId, productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async (door) => {
  await requireAbility(door, 'campaign.manage');
  const { id, show } = refsOf(door);
  const [campaign, choices, { insertionFreeSince }] = await Promise.all([
    door.api.campaigns.get({ id }),
    loadCampaignChoices(door, show),
    door.api.products.forEditing(show),
  ]);
  // an address below another show, and campaigns that can't change
  const isOver = campaign.kind === 'promo' || campaign.endedAt !== null;
  if (isOver || campaign.product.id !== show.id)
    throw redirect(pathsFor(door.url).campaign(campaign.product, campaign.id));
  const { clips, episodes } = choices;
  const others = campaign.clips.filter((own) => !clips.some((clip) => clip.id === own.id));
  const listed = [...clips, ...others];
  const title = `${translator(door.context.language, 'campaigns')('edit')}: ${campaign.name}`;
  return {
    title,
    show,
    campaign,
    clips: listed,
    episodes,
    ticked: tickedBy(door.url),
    isPromised: insertionFreeSince !== null,
  };
});

export const action = form(
  async (door, values) => {
    const { id } = refsOf(door);
    await takeNewClip(door, values);
    const { isActive } = await door.api.campaigns.get({ id });
    await door.api.campaigns.edit({ ...inputOf(values, isActive), id } as never);
  },
  {
    then: (_, door) => {
      const { id, show } = refsOf(door);
      return withDoneMessage(pathsFor(door.url).campaign(show, id), 'campaign_saved');
    },
  },
);

const refsOf = (door: Pick<Door, 'params' | 'url'>) => ({
  id: parseId(door.params.campaignId),
  show: productRef(door),
});

/** Also after a refusal: the clip that was sent is one of the listed ones now. */
export const shouldRevalidate = () => true;

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EditCampaign() {
  const { t } = useTranslation('campaigns');
  const { show, campaign, clips, episodes, ticked, isPromised } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  // a page that is read again has the same values in new objects, and must not replace what was typed
  const values = JSON.stringify({ ...initialValues(campaign, ''), ...ticked });
  const initial = useMemo(() => JSON.parse(values), [values]);
  return (
    <>
      <PageHeader title={t('edit')} back={<Link to={paths.campaign(show, campaign.id)}>{campaign.name}</Link>} />
      <CampaignForm
        key={campaign.id}
        cutClip={paths.cutClip(show, { campaign: campaign.id })}
        {...{ show, clips, episodes, initial, isPromised, failure }}
        isNew={false}
        mayBeDraft={campaign.state === 'draft'}
      />
    </>
  );
}
