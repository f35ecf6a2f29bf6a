import { PageHeader } from '~/app/components/page-header';
import classes from '~/app/features/studio/episode/episode.module.css';
import { EpisodeForm, UPDATE_REQUIRED } from '~/app/features/studio/episode/episode-form';
import { chosenPeople } from '~/app/features/studio/episode/people-values';
import { PreviewLinkSection } from '~/app/features/studio/episode/preview-link';
import { StatusNotice } from '~/app/features/studio/episode/status-notice';
import { useEpisodePolling } from '~/app/features/studio/episode/use-polling';
import { toInput } from '~/app/lib/check-form';
import { chosenRelease } from '~/app/lib/chosen-release.server';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { episodeRef, productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { updateEpisode } from '~/server/domain/episodes/schema';

export const loader = page(async (door) => {
  const { api, context } = door;
  await requireAbility(door, 'episode.manage');
  const [show, ref] = [productRef(door), episodeRef(door)];
  const [product, episode, publicRoom, timeZones] = await Promise.all([
    api.products.forEditing(show),
    api.episodes.forEditing(ref),
    api.episodes.publicRoom(show),
    api.reference.timeZones(),
  ]);
  const preview = episode.status === 'published' ? null : await api.episodes.previewLink(ref);
  return {
    preview,
    title: `${translator(context.language, 'episode')('edit.title')}: ${episode.name}`,
    product,
    publicRoom,
    timeZones,
    episode: { ...episode, picture: episode.cover.webp[1400] },
    pageUrl: context.urls.product(product.creator.domain, product.slug),
  };
});

export const action = form(
  async (door, values) => {
    const { id, kind } = episodeRef(door);
    const input = toInput(updateEpisode, { ...values, id: String(id), kind }, UPDATE_REQUIRED);
    const release = chosenRelease(values);
    const episode = await door.api.episodes.update({ ...input, ...release, ...chosenPeople(values) });
    // until the address is verified, the release waits
    return { episode, done: release.hold === false && episode.isHeld ? 'episode_waits' : 'episode_saved' };
  },
  { then: ({ episode, done }, { url }) => withDoneMessage(pathsFor(url).episode(episode), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EditEpisode() {
  const { t } = useTranslation('episode');
  const { product, episode, publicRoom, preview, pageUrl, timeZones } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  useEpisodePolling(episode);
  return (
    <>
      <PageHeader title={t('edit.title')} back={<Link to={paths.episode(episode)}>{episode.name}</Link>} />
      <div aria-live="polite" className={classes.notice}>
        <StatusNotice episode={episode} />
      </div>
      {preview && <PreviewLinkSection preview={preview} isEditing />}
      <EpisodeForm
        key={episode.id}
        product={product}
        episode={episode}
        publicRoom={publicRoom}
        timeZones={timeZones}
        pageUrl={pageUrl}
        failure={failure}
      />
    </>
  );
}
