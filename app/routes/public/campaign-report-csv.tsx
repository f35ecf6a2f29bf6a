import { openCampaignReport } from '~/app/features/site/figures/open-campaign-report.server';
import { figuresFile, namedFigures } from '~/app/features/studio/insertions/named-figures.server';
import { file } from '~/app/lib/doors.server';

/** The figures of a campaign as a file, for sponsors with a link. */
export const loader = file(async (door) => {
  const { figures } = await openCampaignReport(door);
  return figuresFile('campaign', namedFigures(figures, door.context));
});
