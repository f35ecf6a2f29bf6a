import { TabLead } from '~/app/components/page-header';
import { recommendationActions } from '~/app/features/studio/recommendations/recommendation-actions.server';
import { RecommendationsPage } from '~/app/features/studio/recommendations/recommendations-page';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The recommendations between a show and others. */
export const loader = page(async (door) => {
  await requireAbility(door, 'recommendation.manage');
  const { api, context } = door;
  const ref = productRef(door);
  const [{ name }, list, blocks] = await Promise.all([
    api.products.forEditing(ref),
    api.recommendations.list({ productId: ref.id }),
    api.recommendations.blocks(),
  ]);
  return { title: `${translator(context.language, 'recommending')('title')} · ${name}`, ref, list, blocks };
});

export const action = form(recommendationActions, {
  then: (done, door) => withDoneMessage(pathsFor(door.url).showRecommendations(productRef(door)), done),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function ShowRecommendations() {
  const { t } = useTranslation('recommending');
  const { ref, list, blocks } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <TabLead title={t('title')}>{t('lead')}</TabLead>
      <RecommendationsPage {...list} blocks={blocks} failure={failure} select={usePaths().selectRecommendation(ref)} />
    </>
  );
}
