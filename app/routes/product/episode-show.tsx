import { Alert } from '~/app/components/alert';
import { EmbedCodeSection } from '~/app/features/site/embed/embed-code-section';
import { EpisodeDetail } from '~/app/features/studio/episode/episode-detail';
import { PreviewLinkSection } from '~/app/features/studio/episode/preview-link';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { BATCH_PARAM } from '~/app/lib/episode-batches.server';
import { pathsFor } from '~/app/lib/paths';
import { episodeRef } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';

export const loader = page(async (door) => {
  const ref = episodeRef(door);
  const episode = await door.api.episodes.forEditing(ref);
  // read-only members get no link, and an archived show has none
  const preview = episode.status === 'published' ? null : await door.api.episodes.previewLink(ref).catch(() => null);
  // other sites embed only episodes that all visitors may hear
  const isOpen = episode.status === 'published' && episode.type !== 'private' && episode.earlyUntil === null;
  const embedUrl = isOpen ? door.context.urls.embed('episode', episode.id) : null;
  return { title: episode.name, episode, preview, embedUrl };
});

/** Deletes or duplicates the episode. Publishing and unpublishing come here only without JavaScript, or after the session expired. */
export const action = form(
  async (door, { intent }) => {
    const ref = episodeRef(door);
    if (intent === 'publish') {
      const episode = await door.api.episodes.release(ref);
      return { done: episode.isHeld ? 'episode_waits' : 'episode_published', episode };
    }
    if (intent === 'unpublish') return { done: 'episode_unpublished', episode: await door.api.episodes.hold(ref) };
    if (intent === 'duplicate') return { done: 'episode_duplicated', episode: await door.api.episodes.duplicate(ref) };
    const episode = await door.api.episodes.forEditing(ref);
    if (intent === 'revoke') await door.api.episodes.revokePreviews(ref);
    if (intent !== 'delete') return { done: intent === 'revoke' ? 'previews_revoked' : '', episode };
    const { productId, kind } = episode;
    const { batchId } = await door.api.episodes.change({ productId, kind, action: 'delete', ids: [episode.id] });
    return { done: 'episode_deleted', episode, batchId };
  },
  {
    then: (outcome, { url }) => {
      const paths = pathsFor(url);
      const { episode, done } = outcome;
      const list = paths.product({ id: episode.productId, kind: episode.kind });
      // the list names the deleted episode, and can undo the deletion
      if ('batchId' in outcome) return `${list}?${BATCH_PARAM}=${outcome.batchId}`;
      return withDoneMessage(done === 'episode_duplicated' ? paths.editEpisode(episode) : paths.episode(episode), done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function ShowEpisode() {
  const { episode, preview, embedUrl } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  // the page has no fields that could show the messages of field errors
  const problem = failure && (failure.message ?? Object.values(failure.fields).flat()[0]);
  return (
    <>
      {problem && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {problem}
        </Alert>
      )}
      {preview && <PreviewLinkSection preview={preview} />}
      <EpisodeDetail episode={episode} />
      {embedUrl && <EmbedCodeSection key={episode.id} type="episode" url={embedUrl} name={episode.name} />}
    </>
  );
}
