import { useMemo } from 'react';
import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { CampaignForm } from '~/app/features/studio/insertions/campaign-form';
import { initialValues, inputOf, tickedBy } from '~/app/features/studio/insertions/campaign-values';
import { NotOffered } from '~/app/features/studio/insertions/not-offered';
import { loadCampaignChoices, takeNewClip } from '~/app/features/studio/insertions/save-campaign.server';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async (door) => {
  await requireAbility(door, 'campaign.manage');
  const ref = productRef(door);
  const [{ name, insertionFreeSince }, choices, { today, isOffered, canManage }] = await Promise.all([
    door.api.products.forEditing(ref),
    loadCampaignChoices(door, ref),
    door.api.campaigns.list({ productId: ref.id, pageSize: 1 }),
  ]);
  const title = translator(door.context.language, 'campaigns')('createTitle');
  return {
    title,
    show: { ...ref, name },
    ...choices,
    today,
    isOffered,
    canManage,
    ticked: tickedBy(door.url),
    isPromised: insertionFreeSince !== null,
  };
});

export const action = form(
  async (door, values) => {
    const show = productRef(door);
    await takeNewClip(door, values);
    return door.api.campaigns.create({ ...inputOf(values), productId: show.id } as never);
  },
  {
    then: ({ id }, door) => withDoneMessage(pathsFor(door.url).campaign(productRef(door), id), 'campaign_created'),
  },
);

/** Also after a refusal: the clip that was sent is one of the listed ones now. */
export const shouldRevalidate = () => true;

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function NewCampaign() {
  const { t } = useTranslation('campaigns');
  const { show, clips, episodes, today, isOffered, canManage, ticked, isPromised } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  // a page that is read again has the same ticks in a new object, and must not replace what was typed
  const ticks = JSON.stringify(ticked);
  const initial = useMemo(() => ({ ...initialValues(null, today), ...JSON.parse(ticks) }), [today, ticks]);
  return (
    <>
      <PageHeader title={t('createTitle')} back={<Link to={paths.insertions(show)}>{show.name}</Link>} />
      {!isOffered && <NotOffered canManage={canManage} />}
      <CampaignForm
        key={show.id}
        cutClip={paths.cutClip(show, { campaign: 'new' })}
        {...{ show, clips, episodes, initial, isPromised, failure }}
        isNew
        mayBeDraft
      />
    </>
  );
}
