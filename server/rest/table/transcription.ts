import { type Call, call } from '../call';
import { creditsOut, transcriptStatusOut } from '../serializers/transcription';

const names = { episode_id: 'id', audio_type: 'kind' };

export const transcriptionCalls: Call[] = [
  call('GET check-transcription-credits/', 'transcription.credits', {
    access: 'auth',
    summary: 'Minutes that an episode needs to be transcribed, and those left in this UTC month.',
    names,
    out: creditsOut,
  }),
  call('POST create-episode-transcript/', 'transcription.start', {
    access: 'owner',
    summary:
      'Transcribe a published or scheduled episode without a transcript. `language` is found if it is not given.',
    names,
    // an existing transcript is replaced only by a creator who was asked
    fixed: { replaces: 'false' },
    out: transcriptStatusOut,
    status: 202,
  }),
];
