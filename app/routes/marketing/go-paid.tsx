import { type HeadersFunction, type MetaFunction, redirect } from '@remix-run/node';
import { TextPage } from '~/app/features/site/blog/text-page';
import { namedPageData } from '~/app/features/site/pages/named-page-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** `/go-paid`: explains paid shows to visitors; creators choose their plan. */
export const loader = page((door) => {
  if (door.context.viewer?.usesStudio) throw redirect(pathsFor(door.url).goPaid);
  return namedPageData(door, 'go-paid');
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function GoPaid() {
  const { t } = useTranslation('pricing');
  const { takesPayments, ...text } = useLoaderData<typeof loader>();
  return <TextPage {...text} notice={!takesPayments && t('noPayments')} />;
}
