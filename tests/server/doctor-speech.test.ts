import { expect, test } from 'vitest';
import { openAccess } from '~/server/adapters/spotify/open-access';
import { checkSpeech, checkSpotify } from '~/server/admin/doctor-speech';
import { parseEnv } from '~/server/env/read';
import { testRuntime } from '../support/runtime';

const { runtime, spotifySandbox, env } = await testRuntime();
const sandbox = await spotifySandbox!.get();

/** The local Spotify knows another partner. */
function asPartner(partnerId: string) {
  const baseUrl = runtime.urls.app('/_sandbox/spotify');
  const hosts = { accounts: baseUrl, api: `${baseUrl}/v1`, openAccess: `${baseUrl}/api/v1` };
  const wire = { fetch: async (...call: Parameters<typeof fetch>) => sandbox.fetch(...call) };
  return openAccess({ clientId: 'other', clientSecret: 'other', partnerId, isTest: true }, hosts, wire);
}

test('a contract that Spotify accepts is named with its partner ID', async () => {
  expect(await checkSpotify(runtime.ports.spotify.openAccess)).toEqual({
    state: 'ok',
    check: 'spotify',
    message: 'accepts the app and partner ID sandbox-partner',
  });
});

test('credentials that Spotify does not know are a problem, and its settings are named', async () => {
  expect(await checkSpotify(asPartner('other'))).toMatchObject({
    state: 'problem',
    message: expect.stringMatching(/^Spotify answers 40\d: SPOTIFY_CLIENT_ID or SPOTIFY_CLIENT_SECRET is wrong/),
  });
});

test.each([400, 403])('an app that Spotify refuses with %s has no contract for this partner ID', async (status) => {
  sandbox.setFault('get-entitlements', { status });

  const finding = await checkSpotify(runtime.ports.spotify.openAccess);

  sandbox.setFault('get-entitlements', null);
  expect(finding).toMatchObject({ state: 'problem', message: expect.stringContaining('SPOTIFY_PARTNER_ID') });
});

test('without a contract or an engine, the doctor says what creators can do', async () => {
  const findings = await checkSpeech({ ...env, transcription: null, espeakPath: null, languageModel: null });

  expect(findings).toMatchObject([
    { state: 'ok', check: 'transcriber', message: expect.stringContaining('upload transcripts') },
    { state: 'ok', check: 'espeak', message: expect.stringContaining('rough times') },
    { state: 'ok', check: 'suggestions', message: expect.stringContaining('LLM_URL') },
  ]);
  expect(await checkSpotify(null)).toMatchObject({ state: 'ok', message: expect.stringContaining('no contract') });
});

test('an engine is named with the command that tries it', async () => {
  const settings = parseEnv({ TRANSCRIBER: 'openai', TRANSCRIBER_KEY: 'k', TRANSCRIBER_MODEL: 'whisper-1' });

  expect((await checkSpeech({ ...settings, espeakPath: null }))[0]!.message).toBe(
    'openai; try it with “npm run admin -- transcriber check”',
  );
});
