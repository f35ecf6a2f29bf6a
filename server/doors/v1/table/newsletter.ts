import { call, listCall, type V1Call } from '../v1-call';
import { editionItemView, editionView, revisionView } from '../views/newsletter';
import { createdView } from '../views/plain-view';

const shared = { chapter: 'editions' } as const;
const read = { ...shared, scope: 'editions:read' } as const;
const write = { ...shared, scope: 'editions:write' } as const;

export const editionCalls: V1Call[] = [
  listCall('GET /editions', 'editions.list', {
    ...read,
    summary: 'The editions of the newsletter: those to come, then drafts, then those that were sent.',
    out: editionItemView,
  }),
  call('POST /editions', 'editions.create', {
    isExample: true,
    ...write,
    summary: 'Create a draft, empty or about the episode `episode_id`.',
    out: createdView,
    status: 201,
    example: {},
  }),
  call('GET /editions/:id', 'editions.get', {
    ...read,
    summary: 'One edition, with its `revision`.',
    out: editionView,
  }),
  call('PATCH /editions/:id', 'editions.update', {
    ...write,
    summary: 'Change the given fields of an edition. It fails if the edition has another `revision` by now.',
    only: [
      ...['id', 'revision', 'title', 'preheader', 'description', 'content', 'tags'],
      ...['seoTitle', 'seoDescription', 'audience', 'slug', 'isInArchive'],
    ],
    out: revisionView,
    example: { revision: 1, title: 'A letter from the sea', content: '<p>Hello.</p>' },
  }),
  call('DELETE /editions/:id', 'editions.delete', { ...write, summary: 'Delete a draft.' }),
  call('POST /editions/:id/test', 'editions.sendTest', {
    ...write,
    summary: 'Email an edition to some addresses, with a subject that begins with “Test”.',
    example: { to: ['ana@example.com'] },
  }),
  call('POST /editions/:id/send', 'editions.send', {
    ...write,
    summary: 'Send an edition to its audience: now, or at `send_at`.',
    example: { revision: 2, send_at: '2027-01-01T08:00:00Z' },
  }),
  call('POST /editions/:id/cancel', 'editions.cancel', {
    ...write,
    summary: 'Take a scheduled edition back, or stop sending one.',
  }),
];
