import { data } from '@remix-run/node';
import { CONTENT_TAGS, describeText, textMetadata } from '~/app/features/site/blog/text-metadata.server';
import { examplesOf, plansView } from '~/app/features/site/marketing/pricing-data.server';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import { softwareData } from '~/app/features/site/marketing/software-data.server';
import type { Door } from '~/app/lib/doors.server';
import type { NamedPage } from '~/server/limits/content';
import { PLANS, PLANS_FOR_SALE } from '~/server/limits/plans';

/** A page whose text is the file of its name in `content/{en,es}/pages`. `what`: its description by schema.org. */
async function readPage(door: Door, name: NamedPage, ...what: object[]) {
  const { addresses, ...page } = await door.api.content.namedPage({ name });
  describeText(door, [{ name: page.title, path: addresses[door.context.language] }], ...what);
  return { metadata: await textMetadata(door, page, addresses), links: siteLinks(door), page };
}

export const namedPageData = async (door: Door, name: NamedPage) =>
  data({ ...(await readPage(door, name)), takesPayments: door.context.settings.takesPayments }, CONTENT_TAGS);

/** What Altavoz does, task by task, and what a sale leaves. */
export async function featuresData(door: Door) {
  const { page, ...view } = await readPage(door, 'features', softwareData(door));
  const { html, ...shown } = page;
  const sections = html.split(/(?=<h2 )/);
  const example = await examplesOf(door, saleable());
  const { takesPayments } = door.context.settings;
  return data({ ...view, page: { ...shown, sections }, example, takesPayments }, CONTENT_TAGS);
}

export type FeaturesView = Omit<Awaited<ReturnType<typeof featuresData>>['data'], 'metadata'>;

/** What hosting includes, with the plans. */
export async function hostingData(door: Door) {
  const view = await readPage(door, 'hosting', softwareData(door));
  const { takesPayments } = door.context.settings;
  return data({ ...view, takesPayments, plans: plansView(door, saleable()).plans }, CONTENT_TAGS);
}

export type HostingView = Omit<Awaited<ReturnType<typeof hostingData>>['data'], 'metadata'>;

const saleable = () => PLANS_FOR_SALE.map((code) => PLANS[code]);

/** Who runs this installation: the operator's settings, and the text of the operator. */
export async function teamData(door: Door) {
  const { name, email, address, vatNumber } = door.context.settings.operator;
  return data({ ...(await readPage(door, 'team')), operator: { name, email, address, vatNumber } }, CONTENT_TAGS);
}

export type TeamView = Omit<Awaited<ReturnType<typeof teamData>>['data'], 'metadata'>;
