import { type Call, call, paged } from '../call';
import { episodeOut } from '../serializers/episodes';
import { episodeUrlOut, listenOut, playerEpisodeOut } from '../serializers/listening';
import { forEachKind } from './for-each-kind';

const episodePage = paged(episodeOut);

export const listeningCalls: Call[] = [
  call('GET other-episodes/:id/', 'listening.others', {
    access: 'optional',
    summary: 'The other episodes of the same product, in play order.',
    names: { audio_type: 'kind' },
    out: episodePage,
  }),
  ...forEachKind((kind, { legacy }) => [
    call(`GET ${legacy.play}/:id/`, 'listening.open', {
      access: 'optional',
      summary: 'Episode data for the player. 403 without access.',
      fixed: { kind },
      out: playerEpisodeOut,
    }),
    call(`GET ${legacy.url}/:id/`, 'listening.url', {
      access: 'optional',
      summary: 'Only the audio URL. 403 without access.',
      fixed: { kind },
      out: episodeUrlOut,
    }),
    call(`POST ${legacy.listen}/:id/`, 'listening.record', {
      access: 'optional',
      summary: 'Count a listen of more than 60 seconds. 201 the first time in a session, then 200.',
      fixed: { kind },
      names: { session_id: 'session' },
      defaults: { seconds: 0 },
      out: listenOut,
      statusOf: ({ counted }) => (counted ? 201 : 200),
    }),
  ]),
];
