import fs from 'node:fs';
import path from 'node:path';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EpisodeNotes } from '~/app/features/studio/episode/episode-row';
import { StatusNotice } from '~/app/features/studio/episode/status-notice';
import { TextSourceProvider } from '~/app/lib/translation';
import { LANGUAGES, type Language } from '~/locales/languages';
import { type Texts, translate } from '~/locales/translate';
import { MP3_REASONS, MP3_WARNINGS } from '~/server/audio/check-mp3';

const root = path.resolve(import.meta.dirname, '../..');
const textsOf = (language: Language, namespace: string): Texts =>
  JSON.parse(fs.readFileSync(path.join(root, `locales/${language}/${namespace}.json`), 'utf8'));

function show(language: Language, element: ReactNode): string {
  const translator = (_: Language, namespace: string) => (key: string, values?: Record<string, string | number>) =>
    translate(language, textsOf(language, namespace), key, values);
  const html = renderToStaticMarkup(
    <TextSourceProvider value={{ language, translator }}>
      <MantineProvider>{element}</MantineProvider>
    </TextSourceProvider>,
  );
  return html.replaceAll('&#x27;', "'");
}

/** The error codes that jobs store as a reason. */
const written = ['episodes', 'media'].flatMap((room) =>
  fs
    .readdirSync(path.join(root, 'server/domain', room))
    .map((file) => fs.readFileSync(path.join(root, 'server/domain', room, file), 'utf8'))
    .flatMap((text) =>
      [...text.matchAll(/\b(?:failureReason: |reason: |return (?=.audio))'([a-z]+\.[a-z_]+)'/g)].map(
        ([, code]) => code!,
      ),
    ),
);
/** Error codes of the engine, of names that claim MP3, and of rooms that may block a publication. */
const REASONS = [
  ...MP3_REASONS.map((reason) => `audio.${reason}`),
  ...['upload.renamed', 'upload.renamed_an', 'episode.public_exceeds_private', 'episode.private_needed'],
  ...['episode.max_free_reached', 'episode.release_missed', ...new Set(written)],
];
const PARAMS = { format: 'WAV', plan: 'Free', count: 10, time: '12:31', length: '40:00' };
const EPISODE = {
  fileName: 'talk.mp3',
  failureReason: null,
  failureParams: PARAMS,
  warnings: [],
  loudness: null,
  takeDown: null,
  replacement: null,
  fetchedFrom: null,
};
/** The next step, or a statement that none is needed. */
const ADVICE = {
  en: /\b(?:Upload|Export|export|Choose|Publish|Make|Unpublish|Listen|need to do anything)\b/,
  es: /(?:[Ss]ube|súbelo|subirlo|[Ee]xp[oó]rta|Elige|Publica|Publícalo|haz|[Rr]etira|Escucha|tienes que hacer nada)/,
};

test('the reasons that jobs write are found in their source', () => {
  expect(written).toEqual(expect.arrayContaining(['audio.missing', 'audio.disk_full', 'audio.check_failed']));
});

test.each(LANGUAGES.flatMap((language) => REASONS.map((reason) => [language, reason] as const)))(
  'in %s, %s says what to do: on the page, in the form, in the list, and of a replacement',
  (language, failureReason) => {
    const text = translate(language, textsOf(language, 'errors'), failureReason, PARAMS);
    const replacement = { fileName: 'take-2.mp3', isChecking: false };
    const shown = [
      <StatusNotice key={0} episode={{ ...EPISODE, status: 'failed', failureReason }} />,
      <StatusNotice key={1} episode={{ ...EPISODE, status: 'on_hold', failureReason }} />,
      <StatusNotice key={2} episode={{ ...EPISODE, status: 'published', failureReason, replacement }} />,
      <EpisodeNotes key={3} episode={{ ...EPISODE, failureReason }} />,
    ].map((element) => show(language, element));

    expect(text).toMatch(ADVICE[language]);
    for (const html of shown) expect(html).toContain(text);
    expect([shown[0], shown[2]]).toEqual([expect.stringContaining('talk.mp3'), expect.stringContaining('take-2.mp3')]);
  },
);

test.each(LANGUAGES)('in %s, every warning and unusual loudness says what to do', (language) => {
  const warnings = MP3_WARNINGS.map((warning) => `audio.${warning}`);
  const html = show(language, <StatusNotice episode={{ ...EPISODE, status: 'published', warnings, loudness: -30 }} />);

  for (const code of warnings) {
    const text = translate(language, textsOf(language, 'errors'), code);
    expect(text).toMatch(ADVICE[language]);
    expect(html).toContain(text);
  }
  for (const loudness of [-30, -5]) {
    expect(show(language, <EpisodeNotes episode={{ ...EPISODE, loudness }} />)).toContain('−16 LUFS');
    const shown = show(language, <StatusNotice episode={{ ...EPISODE, status: 'published', loudness }} />);
    expect(shown).toMatch(ADVICE[language]);
  }
});

test.each(LANGUAGES)('in %s, a late file names its host, and needs no help', (language) => {
  const replacement = { fileName: 'take-2.mp3', isChecking: true };
  const late = { ...EPISODE, fetchedFrom: 'files.example', failureReason: 'fetch.server_failing' };

  const fresh = show(language, <StatusNotice episode={{ ...late, status: 'in_progress' }} />);
  const replaced = show(language, <StatusNotice episode={{ ...late, status: 'published', replacement }} />);
  const listed = show(language, <EpisodeNotes episode={{ ...late, replacement }} />);

  for (const html of [fresh, replaced])
    expect(html).toContain(translate(language, textsOf(language, 'episode'), 'fetching.again'));
  for (const html of [replaced, listed]) expect(html).toMatch(/take-2\.mp3.*files\.example/);
});
