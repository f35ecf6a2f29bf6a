import { TabLead } from '~/app/components/page-header';
import { SuggestionsLink } from '~/app/features/studio/episode/suggestions-link';
import { TranscribeCard } from '~/app/features/studio/episode/transcribe-card';
import { TextForm, TranscriptPage } from '~/app/features/studio/episode/transcript-page';
import { EditorPage } from '~/app/features/studio/transcript/editor-page';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { episodeRef } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async (door) => {
  const ref = episodeRef(door);
  const [episode, transcript, transcription, timing, languages] = await Promise.all([
    door.api.episodes.forEditing(ref),
    door.api.episodes.transcript(ref),
    door.api.transcription.state(ref),
    door.api.transcription.timing(ref),
    door.api.reference.languages(),
  ]);
  const title = `${translator(door.context.language, 'episode')('transcript.title')}: ${episode.name}`;
  const { id, productId, kind, name, type, transcriptShowAll, url, durationSeconds, waveform } = episode;
  const isEditing = door.url.searchParams.has('edit') && transcript !== null;
  return {
    title,
    episode: { id, productId, kind, name, type, transcriptShowAll, url, durationSeconds, waveform },
    // the whole text is sent to its text area only
    transcript: transcript && { ...transcript, text: isEditing ? transcript.text : null },
    transcription,
    timing,
    // for the cards only, which the editor's page leaves out
    languages: isEditing ? [] : languages,
    isEditing,
    suggests: door.context.settings.suggests,
  };
});

/** Uploads the transcript, saves its edited text, has its words timed, or deletes it. */
export const action = form(
  async (door, { intent, text = '', script = '', language = '', editOf, fileName = '' }, { file }) => {
    const ref = episodeRef(door);
    if (intent === 'delete') await door.api.episodes.removeTranscript(ref);
    else if (intent === 'time-stored') await door.api.transcription.timeText({ ...ref, language });
    else if (intent === 'time') {
      const given = file?.size ? await encoded(file) : Buffer.from(script || ' ').toString('base64');
      await door.api.transcription.timeText({ ...ref, language, content: given, fileName: file?.name ?? '' });
    } else if (intent === 'edit') {
      const content = Buffer.from(text).toString('base64');
      await door.api.episodes.uploadTranscript({ ...ref, fileName, editOf, content });
    } else {
      const content = file ? await encoded(file) : '';
      await door.api.episodes.uploadTranscript({ ...ref, fileName: file?.name ?? '', content });
    }
    return {
      episode: await door.api.episodes.forEditing(ref),
      done: DONE[intent ?? ''] ?? 'transcript_saved',
    };
  },
  { then: ({ episode, done }, { url }) => withDoneMessage(pathsFor(url).transcript(episode), done) },
);

const encoded = async (file: File): Promise<string> => Buffer.from(await file.arrayBuffer()).toString('base64');

const DONE: Record<string, 'transcript_deleted' | 'timing_started'> = {
  delete: 'transcript_deleted',
  time: 'timing_started',
  'time-stored': 'timing_started',
};

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EpisodeTranscript() {
  const { t } = useTranslation('episode');
  const { episode, transcript, isEditing, transcription, timing, languages, suggests } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const isEditor = useIsEditor();
  // the easiest way to a first transcript, if there is one
  const isEngineReady = transcription.isConfigured && transcription.isInPlan && transcription.obstacle === null;
  const isFirstWay = transcript === null && isEngineReady;
  const card = isEditor && (
    <TranscribeCard episode={episode} state={transcription} languages={languages} isQuiet={!isFirstWay} />
  );
  return (
    <>
      <TabLead title={t('transcript.title')} help="transcript" />
      {isEditing && transcript && isEditor ? (
        <EditorPage episode={episode}>
          <TextForm transcript={transcript} failure={failure} />
        </EditorPage>
      ) : (
        <>
          {isEditor && suggests && transcript && <SuggestionsLink episode={episode} />}
          <TranscriptPage
            episode={episode}
            transcript={transcript}
            timing={timing}
            languages={languages}
            firstWay={isFirstWay ? card : null}
            failure={failure}
          />
          {!isFirstWay && card}
        </>
      )}
    </>
  );
}
