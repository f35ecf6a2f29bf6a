import { figuresFile, namedFigures } from '~/app/features/studio/insertions/named-figures.server';
import { file } from '~/app/lib/doors.server';
import { parseId } from '~/app/lib/route-refs';

/** The figures of a campaign as a file. */
export const loader = file(async ({ api, context, params }) => {
  const id = parseId(params.campaignId);
  const figures = namedFigures(await api.campaigns.figures({ id }), context);
  return figuresFile(`campaign-${id}`, figures);
});
