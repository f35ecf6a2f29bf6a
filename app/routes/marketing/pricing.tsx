import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { pricingData } from '~/app/features/site/marketing/pricing-data.server';
import { PricingPage } from '~/app/features/site/marketing/pricing-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/pricing`: the plans and their prices. */
export const loader = page(pricingData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Pricing() {
  return <PricingPage view={useLoaderData<typeof loader>()} />;
}
