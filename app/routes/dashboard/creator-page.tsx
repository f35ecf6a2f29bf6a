import { useActionData, useLoaderData } from '@remix-run/react';
import { PageHeader } from '~/app/components/page-header';
import { CLAIM_REQUIRED, CreatorForm } from '~/app/features/creator/creator-form';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { claimDomain, updateCreator } from '~/server/domain/creators/schema';
import { coverUrls } from '~/server/domain/media/rules';

const PLACEHOLDER = 'your-name';

export const loader = page(async ({ api, context }) => {
  const creator = await api.creators.mine();
  const [before = '', after = ''] = context.urls.creator(PLACEHOLDER).replace(/\/$/, '').split(PLACEHOLDER);
  const timeZones = await api.reference.timeZones();
  const title = translator(context.language, 'studio')(creator ? 'creator.title' : 'creator.claimTitle');
  const picture = creator?.avatarKey ? coverUrls(creator.avatarKey).webp[320] : null;
  return { creator: creator && { ...creator, picture }, address: { before, after }, timeZones, title };
});

/** Claims the page, or updates it if the user already has one. */
export const action = form(
  async ({ api }, values) => {
    const mine = await api.creators.mine();
    if (mine) await api.creators.update(toInput(updateCreator, values, CLAIM_REQUIRED));
    else await api.creators.claim(toInput(claimDomain, values, CLAIM_REQUIRED));
    return mine !== null;
  },
  {
    then: (existed, { url }) => {
      const paths = pathsFor(url);
      return existed
        ? withDoneMessage(paths.creatorPage, 'page_saved')
        : withDoneMessage(paths.dashboard, 'page_claimed');
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function CreatorPage() {
  const { t } = useTranslation('studio');
  const { creator, timeZones, address } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <PageHeader
        title={t(creator ? 'creator.title' : 'creator.claimTitle')}
        lead={t(creator ? 'creator.lead' : 'creator.claimLead')}
      />
      <CreatorForm
        key={creator ? 'edit' : 'claim'}
        creator={creator}
        timeZones={timeZones}
        address={address}
        failure={failure}
      />
    </>
  );
}
