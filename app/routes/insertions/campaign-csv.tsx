import { figuresFile, namedFigures } from '~/app/features/studio/insertions/named-figures.server';
import { file } from '~/app/lib/doors.server';
import { parseId } from '~/app/lib/route-refs';

/** One part of the figures of a campaign. */
export const loader = file(async ({ api, context, params, url }) => {
  const id = parseId(params.campaignId);
  const figures = namedFigures(await api.campaigns.figures({ id }), context);
  return figuresFile(url.searchParams.get('chart'), `campaign-${id}`, figures);
});
