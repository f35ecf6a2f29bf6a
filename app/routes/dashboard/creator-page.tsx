import { useActionData, useLoaderData } from '@remix-run/react';
import { CLAIM_REQUIRED, CreatorForm } from '~/app/features/creator/creator-form';
import { withDone } from '~/app/features/studio/done';
import { PageHead } from '~/app/features/studio/page-head';
import { titled } from '~/app/features/studio/titled';
import { inputOf } from '~/app/lib/check-form';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { pathsIn, prefixOf } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { claimDomain, updateCreator } from '~/server/domain/creators/schema';
import { coverUrls } from '~/server/domain/media/rules';

const MARK = 'your-name';

export const loader = page(async ({ api, context }) => {
  const creator = await api.creators.mine();
  const [before = '', after = ''] = context.urls.creator(MARK).replace(/\/$/, '').split(MARK);
  const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  const title = translator(context.language, 'studio')(creator ? 'creator.title' : 'creator.claimTitle');
  const picture = creator?.avatarKey ? coverUrls(creator.avatarKey).webp[320] : null;
  return { creator: creator && { ...creator, picture }, address: { before, after }, timeZones, title };
});

/** Claims the page where there is none yet, else changes it. */
export const action = form(
  async ({ api }, values) => {
    const mine = await api.creators.mine();
    if (mine) await api.creators.update(inputOf(updateCreator, values, CLAIM_REQUIRED));
    else await api.creators.claim(inputOf(claimDomain, values, CLAIM_REQUIRED));
    return mine !== null;
  },
  {
    then: (existed, { url }) => {
      const paths = pathsIn(prefixOf(url.pathname));
      return existed ? withDone(paths.creatorPage, 'page_saved') : withDone(paths.dashboard, 'page_claimed');
    },
  },
);

export const meta = titled;

export default function CreatorPage() {
  const { t } = useTranslation('studio');
  const { creator, timeZones, address } = useLoaderData<typeof loader>();
  const refusal = useActionData<FormFailure>();
  return (
    <>
      <PageHead
        title={t(creator ? 'creator.title' : 'creator.claimTitle')}
        lead={t(creator ? 'creator.lead' : 'creator.claimLead')}
      />
      <CreatorForm
        key={creator ? 'edit' : 'claim'}
        creator={creator}
        timeZones={timeZones}
        address={address}
        refusal={refusal}
      />
    </>
  );
}
