import { createFromUpload, updateFromUpload } from '../../domain/episodes/schema';
import { CACHE_LIMITS } from '../../limits/http';
import { type Call, call, paged } from '../call';
import { episodeOut } from '../serializers/episodes';
import { forEachKind } from './for-each-kind';

const episodePage = paged(episodeOut);

export const episodeCalls: Call[] = [
  call('GET open-episode/:id/', 'episodes.get', {
    variant: 'open',
    access: 'none',
    summary: 'An episode as visitors see it.',
    names: { audio_type: 'kind' },
    out: episodeOut,
  }),
  call('GET episode-promo-delete/:id/', 'episodes.removePromo', {
    access: 'owner',
    summary: 'Delete the promo of an episode. The day of its upload stays counted.',
    out: episodeOut,
  }),
  ...forEachKind((kind, { path, episodePath }) => [
    call(`GET ${path}/:productId/episodes_list/`, 'episodes.list', {
      access: 'optional',
      summary: 'Episodes of a product. Owners see all and may filter by `status`; others see the published ones.',
      fixed: { kind },
      out: episodePage,
      keptFor: CACHE_LIMITS.answerKeptFor,
    }),
    call(`POST ${episodePath}/`, 'episodes.create', {
      access: 'owner',
      summary: 'Create an episode from an uploaded file. It is `in_progress` until its audio has been checked.',
      fixed: { kind },
      input: createFromUpload,
      out: episodeOut,
      status: 201,
    }),
    call(`GET ${episodePath}/:id/`, 'episodes.get', {
      access: 'optional',
      summary: 'One episode. `url` is null without access.',
      fixed: { kind },
      out: episodeOut,
    }),
    call(`PATCH ${episodePath}/:id/`, 'episodes.update', {
      access: 'owner',
      summary: 'Update the given fields.',
      fixed: { kind },
      input: updateFromUpload,
      out: episodeOut,
    }),
    call(`DELETE ${episodePath}/:id/`, 'episodes.remove', {
      access: 'owner',
      summary: 'Delete an episode. Its owner can restore it in the studio for 7 days.',
      fixed: { kind },
    }),
  ]),
];
