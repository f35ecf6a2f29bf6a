import type { Scope } from '~/db/values/api-scopes';
import type { UploadPurpose } from '../../../domain/media/rules';
import { CACHE_LIMITS } from '../../../limits/http';
import { TRANSCRIPT_LIMITS } from '../../../limits/transcripts';
import { call, listCall, type V1Call } from '../v1-call';
import { chaptersView, storedTranscriptView, transcriptView, uploadView } from '../views/episode-parts';
import { episodeView } from '../views/episodes';

const episodes = { chapter: 'episodes' } as const;
const read = { scope: 'episodes:read', only: ['id'] } as const;
const write = { scope: 'episodes:write' } as const;

const ofEpisodes: V1Call[] = [
  listCall('GET /shows/:show_id/episodes', 'episodes.list', {
    isExample: true,
    ...episodes,
    scope: 'episodes:read',
    summary: 'The episodes of a show. `ordering` is by `-release_date` unless it says otherwise.',
    only: ['productId', 'type', 'status', 'search', 'ordering'],
    out: episodeView,
    creatorOf: ({ creator }: { creator: { id: number } }) => creator.id,
    ifEmpty: 'products.forEditing',
    keptFor: CACHE_LIMITS.answerKeptFor,
  }),
  call('POST /shows/:show_id/episodes', 'episodes.create', {
    isExample: true,
    ...episodes,
    ...write,
    summary:
      'Create an episode. `file_key` is the `key` of an upload for the purpose `episode_audio`, or `audio_url` says where we fetch the audio. It is `in_progress` until its audio has been checked; `hold` keeps it as a draft then.',
    out: episodeView,
    status: 201,
    example: {
      name: 'The first wave',
      description: '<p>About the sea.</p>',
      audio_url: 'https://files.example/the-first-wave.mp3',
      hold: true,
    },
  }),
  call('GET /episodes/:id', 'episodes.forEditing', { ...episodes, ...read, summary: 'One episode.', out: episodeView }),
  call('PATCH /episodes/:id', 'episodes.update', {
    ...episodes,
    ...write,
    summary:
      'Change the given fields of an episode. Another `file_key` or `audio_url` replaces its audio. After `audio.status` is `failed`, send `audio_url` again to have it fetched again.',
    out: episodeView,
    example: { name: 'The first wave' },
  }),
  call('DELETE /episodes/:id', 'episodes.remove', {
    ...episodes,
    ...write,
    only: ['id'],
    summary: 'Delete an episode. It can be restored in the studio for 7 days.',
  }),
  call('POST /episodes/:id/publish', 'episodes.release', {
    ...episodes,
    ...write,
    only: ['id', 'releaseDate'],
    summary: 'Publish an episode that is on hold: now, or at `release_date`.',
    out: episodeView,
    example: { release_date: '2027-01-01T08:00:00Z' },
  }),
  call('POST /episodes/:id/unpublish', 'episodes.hold', {
    ...episodes,
    ...write,
    only: ['id'],
    summary: 'Put an episode on hold. Nobody hears it until it is published again.',
    out: episodeView,
  }),
];

/** A file is for the call that takes its key. */
const SCOPES_OF_UPLOADS: Partial<Record<UploadPurpose, Scope>> = {
  cover: 'shows:write',
  insertion_audio: 'insertions:write',
  edition_picture: 'editions:write',
};

const ofParts: V1Call[] = [
  call('GET /episodes/:id/chapters', 'episodes.chapters', {
    ...read,
    chapter: 'chapters',
    summary: 'The chapters of an episode.',
    out: chaptersView,
  }),
  call('PUT /episodes/:id/chapters', 'episodes.saveChapters', {
    isExample: true,
    ...write,
    chapter: 'chapters',
    only: ['id', 'chapters'],
    summary: 'Replace the chapters of an episode, in any order. An empty list removes them.',
    out: chaptersView,
    example: { chapters: [{ start_ms: 0, title: 'Start' }] },
  }),
  call('GET /episodes/:id/transcript', 'episodes.transcript', {
    ...read,
    chapter: 'transcripts',
    summary: 'The transcript of an episode, with the addresses of its files.',
    out: transcriptView,
  }),
  call('PUT /episodes/:id/transcript', 'episodes.uploadTranscript', {
    isExample: true,
    ...write,
    chapter: 'transcripts',
    only: ['id', 'fileName', 'content', 'editOf'],
    summary: 'Add or replace the transcript of an episode: SRT, WebVTT, JSON or text, as base64 in `content`.',
    out: storedTranscriptView,
    maxBytes: 2 * TRANSCRIPT_LIMITS.maxBytes,
    example: { file_name: 'wave.txt', content: 'VGhpcyBpcyB0aGUgc2VhLg==' },
  }),
  call('DELETE /episodes/:id/transcript', 'episodes.removeTranscript', {
    ...write,
    chapter: 'transcripts',
    only: ['id'],
    summary: 'Remove the transcript of an episode.',
  }),
  call('POST /uploads', 'media.requestFormUpload', {
    isExample: true,
    ...write,
    chapter: 'uploads',
    scopeBy: { field: 'purpose', scopes: SCOPES_OF_UPLOADS },
    summary:
      'Ask where to send a file. Then send it there, as `method`, `fields` and `headers` say, and use its `key` within a day.',
    out: uploadView,
    status: 201,
    example: { file_name: 'wave.mp3', content_type: 'audio/mpeg', file_size: 480000, purpose: 'episode_audio' },
  }),
];

export const episodeCalls: V1Call[] = [...ofEpisodes, ...ofParts];
