import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { recommendationActions } from '~/app/features/studio/recommendations/recommendation-actions.server';
import { RecommendationsPage } from '~/app/features/studio/recommendations/recommendations-page';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The recommendations between all shows of the creator and others. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  await requireAbility(door, 'recommendation.manage');
  const [list, blocks] = await Promise.all([api.recommendations.list({}), api.recommendations.blocks()]);
  return { title: translator(context.language, 'recommending')('title'), list, blocks };
});

export const action = form(recommendationActions, {
  then: (done, { url }) => withDoneMessage(pathsFor(url).recommendations, done),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function AllRecommendations() {
  const { t } = useTranslation('recommending');
  const { list, blocks } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <RecommendationsPage {...list} blocks={blocks} failure={failure} select={usePaths().selectRecommendation()} />
    </>
  );
}
