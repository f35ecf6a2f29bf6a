import { rssResponse } from '~/app/features/site/blog/rss.server';
import { sitePagePath } from '~/app/features/site/marketing/site-links.server';
import { incidentItems } from '~/app/features/site/pages/status-data.server';
import { file } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';

/** The incidents of the last months as an RSS feed, with all their texts. */
export const loader = file(async (door) => {
  const { language, urls } = door.context;
  const t = translator(language, 'status');
  const incidents = await door.api.status.incidents();
  const url = urls.app(sitePagePath(`/${language}`, 'status'));
  const channel = { title: t('feed'), url, self: `${url}/feed.xml`, description: t('description'), language };
  return rssResponse(channel, incidentItems(door, incidents));
});
