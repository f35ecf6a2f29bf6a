import { figuresCsv } from '~/app/features/site/figures/figures-csv.server';
import { file } from '~/app/lib/doors.server';

/** The values of one part of a show's figures, for sponsors with a link. */
export const loader = file(async ({ api, context, params, url }) =>
  figuresCsv(url.searchParams.get('chart'), await api.statistics.sponsorPage({ token: params.token ?? '' }), context),
);
