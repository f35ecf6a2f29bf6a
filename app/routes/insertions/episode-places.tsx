import { Button } from '~/app/components/button';
import { TabLead } from '~/app/components/page-header';
import { SectionTitle } from '~/app/components/section-title';
import { PassagesForm } from '~/app/features/studio/places/passages-form';
import { episodesFrom, passageFrom, pointsFrom } from '~/app/features/studio/places/place-values';
import classes from '~/app/features/studio/places/places.module.css';
import { PointsForm } from '~/app/features/studio/places/points-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { episodeRef, productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** The mid-rolls of an episode, and the passages that listeners get otherwise. */
export const loader = page(async (door) => {
  await requireAbility(door, 'episode.manage');
  const { api } = door;
  const [show, ref] = [productRef(door), episodeRef(door)];
  const pageSize = PAGE_LIMITS.maxSize;
  const [episode, places, clips, others] = await Promise.all([
    api.episodes.forEditing(ref),
    api.insertionPoints.ofEpisode({ id: ref.id }),
    api.clips.list({ pageSize }),
    api.episodes.list({ productId: show.id, kind: show.kind, pageSize }),
  ]);
  const title = `${translator(door.context.language, 'places')('title')}: ${episode.name}`;
  return {
    title,
    show,
    episode,
    places,
    clips: clips.items.filter(({ status }) => status === 'ready').map(({ id, name }) => ({ id, name })),
    others: others.items
      .filter(({ id, url }) => id !== episode.id && url !== null)
      .map(({ id, name }) => ({ id, name })),
  };
});

export const action = form(
  sectionAction({
    points: async (door, values) => {
      await door.api.insertionPoints.save({ id: episodeRef(door).id, points: pointsFrom(values) });
      return 'points_saved';
    },
    replace: async (door, values) => {
      const { id } = episodeRef(door);
      const others = episodesFrom(values);
      const passage = passageFrom(values);
      if (others.length === 0) await door.api.passages.replace({ id, ...passage });
      else
        await door.api.passages.replaceInAll({
          ...passage,
          productId: productRef(door).id,
          episodeIds: [id, ...others],
        });
      return 'passage_replaced';
    },
    restore: async (door, { passageId = '' }) => {
      await door.api.passages.restore({ id: Number(passageId) || 0 });
      return 'passage_restored';
    },
  }),
  {
    then: (done, door) => {
      const { id, kind } = episodeRef(door);
      return withDoneMessage(pathsFor(door.url).places({ id, kind, productId: productRef(door).id }), done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EpisodePlaces() {
  const { t } = useTranslation('places');
  const { show, episode, places, clips, others } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const isPassage = failure?.values.fromMs !== undefined || failure?.values.passageId !== undefined;
  const key = `${episode.id} ${JSON.stringify([places.points, places.passages])}`;
  return (
    <>
      <TabLead title={t('title')}>{t('lead')}</TabLead>
      <div className={classes.parts} key={key}>
        <PointsForm episode={episode} places={places} clips={clips} failure={isPassage ? undefined : failure} />
        <PassagesForm {...{ episode, places, clips, others }} failure={isPassage ? failure : undefined} />
        <section className={classes.part} aria-labelledby="cut">
          <SectionTitle id="cut">{t('cut.ofThis')}</SectionTitle>
          <p>{t('cut.ofThisHelp')}</p>
          <div>
            <Button component={Link} to={paths.cutClip(show, { episodeId: episode.id })} variant="default">
              {t('cut.choose')}
            </Button>
          </div>
        </section>
      </div>
    </>
  );
}
