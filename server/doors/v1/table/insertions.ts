import { call, listCall, type V1Call } from '../v1-call';
import { campaignFiguresView, campaignView, clipView } from '../views/insertions';
import { createdView } from '../views/plain-view';

const shared = { chapter: 'insertions' } as const;
const read = { ...shared, scope: 'insertions:read' } as const;
const write = { ...shared, scope: 'insertions:write' } as const;

export const insertionCalls: V1Call[] = [
  listCall('GET /clips', 'clips.list', { ...read, summary: 'The sounds that can be inserted.', out: clipView }),
  call('POST /clips', 'clips.create', {
    ...write,
    summary: 'Add a clip. `clip_key` is the `key` of an upload for the purpose `insertion_audio`.',
    only: ['name', 'clipKey'],
    out: clipView,
    status: 201,
    example: { name: 'Spring', clip_key: '0123456789abcdef0123456789abcdef' },
  }),
  listCall('GET /campaigns', 'campaigns.list', {
    ...read,
    summary: 'The campaigns of all shows, or of the one with `show_id`.',
    out: campaignView,
  }),
  call('POST /campaigns', 'campaigns.create', {
    isExample: true,
    ...write,
    summary: 'Create a campaign for a show. With `is_draft`, it needs a name only.',
    out: createdView,
    status: 201,
    example: { show_id: 1, name: 'Spring', is_draft: true },
  }),
  call('GET /campaigns/:id', 'campaigns.get', { ...read, summary: 'One campaign.', out: campaignView }),
  call('GET /campaigns/:id/figures', 'campaigns.figures', {
    ...read,
    summary: 'How often a campaign was heard: by day, episode, country and app.',
    out: campaignFiguresView,
  }),
  call('PATCH /campaigns/:id', 'campaigns.switch', {
    ...write,
    summary: 'Switch a campaign on or off.',
    example: { is_active: false },
  }),
  call('POST /campaigns/:id/end', 'campaigns.end', { ...write, summary: 'End a campaign for good.' }),
];
