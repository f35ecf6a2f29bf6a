import type { HeadersFunction } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { SponsorLinks } from '~/app/features/studio/statistics/sponsor-links';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The links by which sponsors see the figures of a show. */
export const loader = page(async (door) => {
  await requireAbility(door, 'product.manage');
  const ref = productRef(door);
  const [{ name }, links] = await Promise.all([
    door.api.products.forEditing(ref),
    door.api.statistics.sponsorLinks(ref),
  ]);
  return { title: `${translator(door.context.language, 'sponsors')('title')}: ${name}`, show: { ...ref, name }, links };
});

type Made = { ok: true; url: string };

export const action = form<string | Made>(
  sectionAction<string | Made>({
    create: async (door, values) => ({
      ok: true,
      ...(await door.api.statistics.createSponsorLink({ ...values, ...productRef(door) } as never)),
    }),
    revoke: async (door, { linkId }) => {
      await door.api.statistics.revokeSponsorLink({ ...productRef(door), linkId: Number(linkId) || 0 });
      return 'sponsor_link_revoked';
    },
  }),
  {
    // the address is shown once, so it is in the answer and not in a redirect
    then: (done, door) =>
      typeof done === 'string'
        ? withDoneMessage(pathsFor(door.url).sponsorLinks(productRef(door)), done)
        : Response.json(done, { headers: { 'cache-control': 'no-store' } }),
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;
/** The answer to the form contains the address of a new link. */
export const headers: HeadersFunction = () => ({ 'cache-control': 'no-store' });

export default function Sponsors() {
  const { t } = useTranslation('sponsors');
  const paths = usePaths();
  const { show, links } = useLoaderData<typeof loader>();
  const result = useActionData<FormFailure | Made>();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        back={<Link to={paths.statistics(show)}>{t('back', { show: show.name })}</Link>}
      />
      <SponsorLinks
        links={links}
        madeUrl={result?.ok ? result.url : null}
        failure={result?.ok === false ? result : undefined}
      />
    </>
  );
}
