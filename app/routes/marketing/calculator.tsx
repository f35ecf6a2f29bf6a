import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { calculatorData } from '~/app/features/site/marketing/calculator-data.server';
import { CalculatorPage } from '~/app/features/site/marketing/calculator-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/calculator?subscribers=100&price=5`: what sales would bring. The query has the figures. */
export const loader = page(calculatorData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Calculator() {
  return <CalculatorPage view={useLoaderData<typeof loader>()} />;
}
