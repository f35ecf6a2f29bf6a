import { Button } from '~/app/components/button';
import { SectionTitle } from '~/app/components/section-title';
import { addressParts } from '~/app/features/studio/creator/address-parts';
import { ClaimForm } from '~/app/features/studio/creator/claim-form';
import { PageAddress } from '~/app/features/studio/start/page-address';
import { nextPath } from '~/app/features/studio/start/step-paths';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, safeNext, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_REQUIRED } from '~/server/domain/creators/rules';
import { claimDomain } from '~/server/domain/creators/schema';

/** Claims the creator page, which leads on to the first show. Afterwards, it shows the page's address. */
export const loader = page(async ({ api, context }) => {
  const title = translator(context.language, 'start')('step.page.title');
  const address = addressParts(context.urls);
  const { role } = await api.accounts.me();
  const creator = role === 'owner' ? await api.creators.mine() : null;
  const progress = await api.start.progress();
  if (creator) return { title, progress, url: context.urls.creator(creator.domain), claiming: null };
  const [suggestion, timeZones] = [await api.creators.suggestion(), await api.reference.timeZones()];
  return { title, progress, url: null, claiming: { address, suggestion, timeZones } };
});

export const action = form(({ api }, values) => api.creators.claim(toInput(claimDomain, values, PAGE_REQUIRED)), {
  then: (_, { context, url }) => {
    const next = safeNext(url.searchParams.get('next'), context.urls.settings);
    return withDoneMessage(next ?? pathsFor(url).createProduct, 'page_claimed');
  },
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Page() {
  const { t } = useTranslation('start');
  const { t: tStudio } = useTranslation('studio');
  const paths = usePaths();
  const { url, claiming, progress } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  if (claiming) {
    return (
      <>
        <SectionTitle>{tStudio('creator.claimTitle')}</SectionTitle>
        <ClaimForm {...claiming} failure={failure} />
      </>
    );
  }
  return (
    <>
      <SectionTitle>{t('page.ready')}</SectionTitle>
      <PageAddress url={url} />
      <div>
        <Button component={Link} to={nextPath(paths, progress)}>
          {t('next')}
        </Button>
      </div>
    </>
  );
}
