import { call, listCall, type V1Call } from '../v1-call';
import { importItemView, importView } from '../views/imports';

const shared = { chapter: 'imports' } as const;

export const importCalls: V1Call[] = [
  call('POST /imports', 'imports.request', {
    ...shared,
    scope: 'imports:write',
    summary:
      'Ask for the import of another host’s feed. It begins when its owner proves it: by a link to the address in the feed, or with `proof` `feed` by the answered `proof_code` in the feed.',
    out: importView,
    status: 201,
    example: { url: 'https://example.com/feed.xml', proof: 'feed' },
  }),
  call('POST /imports/:id/prove', 'imports.proveByFeed', {
    ...shared,
    scope: 'imports:write',
    summary: 'Say that the code is in the feed, which is then read.',
  }),
  call('GET /imports/:id', 'imports.get', {
    isExample: true,
    ...shared,
    scope: 'imports:read',
    summary: 'An import and its progress.',
    out: importView,
  }),
  listCall('GET /imports/:id/items', 'imports.items', {
    ...shared,
    scope: 'imports:read',
    summary: 'The episodes of an import, in the order of the feed.',
    out: importItemView,
  }),
  call('DELETE /imports/:id', 'imports.cancel', {
    ...shared,
    scope: 'imports:write',
    summary: 'Cancel an import. What it has brought stays.',
  }),
];
