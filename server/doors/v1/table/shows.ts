import { call, listCall, type V1Call } from '../v1-call';
import { showView } from '../views/shows';

const shared = { chapter: 'shows' } as const;
/** The key of a file that has been uploaded. */
const UPLOADED = '0123456789abcdef0123456789abcdef';
/**
 * The fields that a key may set. Left out is what moves money, or the show: prices and what belongs to them, the link
 * for donations, and the owner's address, to which directories and other hosts send their codes.
 */
const SETTABLE = [
  ...['name', 'description', 'category', 'language', 'slug', 'coverKey', 'isListed', 'explicit', 'showsPlays'],
  ...['welcomeMessage', 'subscriberEmailMessage', 'hideSubscribeButton', 'benefits', 'earlyAccessDays', 'dripDays'],
  ...['author', 'copyright', 'ownerName', 'fundingText', 'spotifyShowUrl', 'feedLength', 'measurementPrefixes'],
  ...['namesListener', 'complete'],
];

export const showCalls: V1Call[] = [
  listCall('GET /shows', 'products.list', {
    isExample: true,
    ...shared,
    scope: 'shows:read',
    summary: 'The shows, the latest first.',
    out: showView,
  }),
  call('POST /shows', 'products.create', {
    ...shared,
    scope: 'shows:write',
    summary: 'Create a free show. `cover_key` is the `key` of an upload for the purpose `cover`.',
    only: ['kind', ...SETTABLE],
    out: showView,
    status: 201,
    example: {
      ...{ kind: 'podcast', name: 'Waves', description: 'Stories that you can hear.' },
      ...{ category: 1501, language: 'en', cover_key: UPLOADED },
    },
  }),
  call('GET /shows/:id', 'products.forEditing', {
    ...shared,
    scope: 'shows:read',
    summary: 'One show.',
    only: ['id'],
    out: showView,
  }),
  call('PATCH /shows/:id', 'products.update', {
    ...shared,
    scope: 'shows:write',
    summary: 'Change the given fields of a show.',
    only: ['id', 'kind', ...SETTABLE],
    out: showView,
    example: { description: 'Stories that you can hear.' },
  }),
  call('POST /shows/:id/archive', 'products.archive', {
    ...shared,
    scope: 'shows:write',
    summary: 'Archive a show: it leaves lists, and new people cannot buy it.',
    only: ['id'],
  }),
  call('DELETE /shows/:id/archive', 'products.unarchive', {
    ...shared,
    scope: 'shows:write',
    summary: 'Bring an archived show back.',
    only: ['id'],
  }),
];
