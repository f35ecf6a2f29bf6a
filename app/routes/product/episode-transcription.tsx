import { TabLead } from '~/app/components/page-header';
import { TranscribeCard } from '~/app/features/studio/episode/transcribe-card';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { episodeRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async (door) => {
  const ref = episodeRef(door);
  const [{ id, productId, kind, name }, state, languages] = await Promise.all([
    door.api.episodes.forEditing(ref),
    door.api.transcription.state(ref),
    door.api.reference.languages(),
  ]);
  const title = `${translator(door.context.language, 'episode')('transcribe.title')}: ${name}`;
  return { title, episode: { id, productId, kind }, state, languages };
});

/** Starts a transcription, or decides about one that did not replace the transcript. */
export const action = form(
  async (door, { intent, language, replaces }) => {
    const ref = episodeRef(door);
    if (intent === 'take' || intent === 'keep')
      await door.api.transcription.decide({ ...ref, takes: intent === 'take' });
    else await door.api.transcription.start({ ...ref, language, replaces });
    const done =
      intent === 'take' ? 'transcript_saved' : intent === 'keep' ? 'transcript_kept' : 'transcription_started';
    return { episode: await door.api.episodes.forEditing(ref), done };
  },
  {
    then: ({ episode, done }, { url }) => {
      const paths = pathsFor(url);
      const path = done === 'transcription_started' ? paths.transcription(episode) : paths.transcript(episode);
      return withDoneMessage(path, done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EpisodeTranscription() {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  const { episode, state, languages } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <TabLead title={t('transcript.title')} />
      {(state.isConfigured || state.hasTranscript) && (
        <p>
          <Link to={paths.transcript(episode)}>
            {t(state.hasTranscript ? 'transcribe.toTranscript' : 'transcribe.toUpload')}
          </Link>
        </p>
      )}
      <TranscribeCard episode={episode} state={state} languages={languages} failure={failure} />
    </>
  );
}
