import { type Call, call } from '../call';
import { detail } from '../serializers/detail';
import { importOut, requestedImportOut, updatedOut } from '../serializers/rss-import';

export const rssImportCalls: Call[] = [
  call('POST import-rss-feed/', 'imports.request', {
    access: 'auth',
    summary: 'Asks the owner of a feed by email whether the creator may import it. One import at a time.',
    names: { rss_feed_url: 'url', is_private: 'isPrivate' },
    status: 202,
    out: requestedImportOut,
  }),
  call('GET validate-rss-feed/', 'imports.confirmation', {
    access: 'none',
    summary: 'The import that the link of that email is about. 400 once it has expired, after 48 hours.',
    out: importOut,
  }),
  call('POST validate-rss-feed/', 'imports.answer', {
    access: 'none',
    summary: 'Confirms or cancels the import.',
    out: importOut,
  }),
  call('POST rss-feed-completion/', 'imports.acknowledge', {
    access: 'auth',
    summary: 'Removes the result from `rss_feed_import_data` once it was shown.',
    names: { completion_id: 'id' },
    out: detail('errors:rest.import_seen'),
  }),
  call('POST rss-import-mark-episodes-private/', 'imports.markPrivate', {
    access: 'auth',
    summary: 'Makes all episodes of the imported show private.',
    out: updatedOut,
  }),
];
