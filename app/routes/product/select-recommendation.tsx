import { Button } from '~/app/components/button';
import { EmptyState, NothingFoundPicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { ImportNotice } from '~/app/features/studio/episode/import-notice';
import { RequestForm } from '~/app/features/studio/recommendations/request-form';
import { ShowResults, ShowSearch } from '~/app/features/studio/recommendations/show-results';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { findShows } from '~/server/domain/recommendations/schema';
import { SHOW_RECOMMENDATION_LIMITS } from '~/server/limits/recommendations';

/** Shows that this one can recommend; `choose` opens the request to one of them. The URL keeps the search. */
export const loader = page(async (door) => {
  await requireAbility(door, 'recommendation.manage');
  const { api, context, url } = door;
  const ref = productRef(door);
  const query = queryOf(url);
  const choose = findShows.shape.id.safeParse(url.searchParams.get('choose') ?? '').data;
  const [product, languages, found, chosen, { items }] = await Promise.all([
    api.products.forEditing(ref),
    api.reference.languages(),
    api.recommendations.findShows({ productId: ref.id, ...query } as never),
    choose ? api.recommendations.findShows({ productId: ref.id, id: choose }) : null,
    api.episodes.list({ kind: ref.kind, productId: ref.id, page: 1, pageSize: SHOW_RECOMMENDATION_LIMITS.offered }),
  ]);
  const title = `${translator(context.language, 'recommending')('find')} · ${product.name}`;
  const episodes = items.map(({ id, name }) => ({ id, name }));
  const own = { ...ref, name: product.name, episodes };
  return { title, own, query, languages, ...found, chosen: chosen?.items[0] ?? null };
});

/** Unknown values of an address count as none. */
function queryOf({ searchParams }: Door['url']) {
  const text = (name: 'language' | 'category' | 'size') => {
    const value = searchParams.get(name)?.trim() ?? '';
    return findShows.shape[name].safeParse(value).success ? value : '';
  };
  const search = (searchParams.get('search') ?? '').trim().slice(0, SHOW_RECOMMENDATION_LIMITS.searchLength);
  return {
    search,
    language: text('language'),
    category: text('category'),
    size: text('size'),
  };
}

const EPISODE = /^episode-(\d{1,15})$/;

export const action = form(
  sectionAction({
    request: async (door, values) => {
      const { recommendedId, episodeId, isAtEnd, selection, firstDay, lastDay, isSwap } = values;
      const episodeIds = Object.keys(values).flatMap((name) => EPISODE.exec(name)?.[1] ?? []);
      const input = { recommendedId, episodeId, isAtEnd, selection, firstDay, lastDay, isSwap, episodeIds };
      await door.api.recommendations.request({ ...input, productId: productRef(door).id } as never);
      return 'recommendation_requested';
    },
  }),
  { then: (done, door) => withDoneMessage(pathsFor(door.url).showRecommendations(productRef(door)), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SelectRecommendation() {
  const { t } = useTranslation('recommending');
  const { own, query, languages, items: shows, chosen, today } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  const back = <Link to={paths.showRecommendations(own)}>{t('back', { name: own.name })}</Link>;
  const toSearch = <Link to={paths.selectRecommendation(own)}>{t('find')}</Link>;
  const all = (
    <Button component={Link} to="?" reloadDocument variant="default">
      {t('search.all')}
    </Button>
  );
  return (
    <>
      {chosen ? (
        <PageHeader
          title={t('request.title', { own: own.name, other: chosen.name })}
          lead={t('request.lead', { name: chosen.creator.name })}
          back={toSearch}
        />
      ) : (
        <PageHeader title={t('find')} lead={t('findLead')} back={back} />
      )}
      <ImportNotice />
      {chosen ? (
        <RequestForm {...{ own, languages, today, failure }} show={chosen} />
      ) : (
        <>
          <ShowSearch query={query} languages={languages} />
          {shows.length === 0 ? (
            <EmptyState picture={<NothingFoundPicture />} title={t('search.nothing')} action={all}>
              {t('search.nothingText')}
            </EmptyState>
          ) : (
            <ShowResults shows={shows} languages={languages} />
          )}
        </>
      )}
    </>
  );
}
