import { espeak } from '../adapters/speech/espeak';
import type { OpenAccess } from '../adapters/spotify/port';
import { SpotifyRejected } from '../base/errors';
import type { Env } from '../env/read';
import { type Finding, ok, problem } from './finding';

/** What transcribes and times texts here. It calls no engine, because engines cost money: `transcriber check` does. */
export async function checkSpeech({ transcription, espeakPath, languageModel }: Env): Promise<Finding[]> {
  const engine =
    transcription === null
      ? 'no engine (TRANSCRIBER): creators upload transcripts, or have the words of a text timed'
      : `${transcription.engine}; try it with “npm run admin -- transcriber check”`;
  return [
    ok('transcriber', engine),
    await checkVoices(espeakPath),
    ok('suggestions', languageModel === null ? 'no language model (LLM_URL): none are made' : languageModel.url),
  ];
}

async function checkVoices(program: string | null): Promise<Finding> {
  if (program === null)
    return ok('espeak', 'espeak-ng is not installed here: a worker without it finds only rough times for a text');
  const speech = espeak(program);
  for (const language of ['en', 'es'])
    if ((await speech.findVoice(language)) === null)
      return problem('espeak', `${program} has no voice for ${language}`);
  return ok('espeak', `${program} speaks English and Spanish`);
}

/** Has the form of our users' IDs at Spotify, and belongs to none. */
const NOBODY = '0'.repeat(64);

/** Asks Spotify about a user whom nobody has linked: an app without a contract gets another answer than 404. */
export async function checkSpotify(openAccess: OpenAccess | null): Promise<Finding> {
  if (openAccess === null)
    return ok('spotify', 'no contract (SPOTIFY_PARTNER_ID): paid episodes are not offered there');
  try {
    await openAccess.listEntitlements(NOBODY);
  } catch (error) {
    if (!(error instanceof SpotifyRejected)) throw error;
    if (error.status !== 404) return problem('spotify', refusalOf(error));
  }
  return ok('spotify', `accepts the app and partner ID ${openAccess.partnerId}`);
}

function refusalOf({ call, status }: SpotifyRejected): string {
  const cause =
    call === 'token'
      ? 'SPOTIFY_CLIENT_ID or SPOTIFY_CLIENT_SECRET is wrong, or the app is not allow-listed for Open Access'
      : 'SPOTIFY_PARTNER_ID is not that of the app, or the app is not allow-listed for Open Access';
  return `Spotify answers ${status}: ${cause}`;
}
