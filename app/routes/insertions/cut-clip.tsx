import { Button } from '~/app/components/button';
import { EmptyState, EpisodePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { ChooseEpisode, CutForm } from '~/app/features/studio/places/cut-form';
import classes from '~/app/features/studio/places/places.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { parseId, productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** A clip that is cut from an episode of the show. `for`: the campaign whose form leads here, or 'new'. */
export const loader = page(async (door) => {
  await requireAbility(door, 'episode.manage');
  const { api, context, url } = door;
  const show = productRef(door);
  const asked = url.searchParams.get('episode');
  const { items, total } = await api.episodes.list({
    productId: show.id,
    kind: show.kind,
    pageSize: PAGE_LIMITS.maxSize,
  });
  const listed = items.filter(({ url: audio }) => audio !== null).map(({ id, name }) => ({ id, name }));
  const id = asked === null ? listed[0]?.id : parseId(asked);
  const [{ name }, episode, places] = await Promise.all([
    api.products.forEditing(show),
    id === undefined ? null : api.episodes.forEditing({ id, kind: show.kind }),
    id === undefined ? null : api.insertionPoints.ofEpisode({ id }),
  ]);
  if (episode && episode.productId !== show.id) throw new Response(null, { status: 404, statusText: 'Not Found' });
  const isListed = listed.some((each) => each.id === id);
  const episodes = episode && !isListed ? [{ id: episode.id, name: episode.name }, ...listed] : listed;
  const title = translator(context.language, 'places')('cut.title');
  return {
    title,
    show: { ...show, name },
    episodes,
    hasMore: total > items.length,
    episode,
    places,
    to: targetOf(url),
  };
});

/** The campaign that gets the clip; null for none. */
function targetOf({ searchParams }: URL): number | 'new' | null {
  const text = searchParams.get('for');
  return text === 'new' ? 'new' : text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export const action = form(
  (door, { name = '', startMs = '', endMs = '', episodeId }) =>
    door.api.clips.cut({ name, startMs, endMs, episodeId: Number(episodeId) || 0 }),
  {
    then: ({ id }, door) => {
      const paths = pathsFor(door.url);
      const show = productRef(door);
      const to = targetOf(door.url);
      if (to === null) return withDoneMessage(paths.placesOfShow(show), 'clip_added');
      return withDoneMessage(
        to === 'new' ? paths.createCampaign(show, id) : paths.editCampaign(show, to, id),
        'clip_added',
      );
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function CutClip() {
  const { t } = useTranslation('places');
  const { show, episodes, hasMore, episode, places, to } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  const back =
    to === null ? (
      <Link to={paths.placesOfShow(show)}>{t('show.title')}</Link>
    ) : (
      <Link to={to === 'new' ? paths.createCampaign(show) : paths.editCampaign(show, to)}>
        {t('cut.backToCampaign')}
      </Link>
    );
  return (
    <>
      <PageHeader title={t('cut.title')} lead={t('cut.lead')} back={back} />
      {episode && places ? (
        <div className={classes.parts}>
          <div className={classes.part}>
            <ChooseEpisode episodes={episodes} chosen={episode.id} hidden={to === null ? {} : { for: String(to) }} />
            {hasMore && <p className={classes.fact}>{t('cut.newest', { count: episodes.length })}</p>}
          </div>
          <CutForm key={episode.id} {...{ episode, places, failure }} />
        </div>
      ) : (
        <EmptyState
          picture={<EpisodePicture />}
          title={t('cut.noEpisodes')}
          action={
            <Button component={Link} to={paths.product(show)} variant="default">
              {t('cut.toEpisodes')}
            </Button>
          }
        >
          {t('cut.noEpisodesText')}
        </EmptyState>
      )}
    </>
  );
}
