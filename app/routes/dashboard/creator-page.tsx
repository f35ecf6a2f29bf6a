import { data, redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { addressParts } from '~/app/features/studio/creator/address-parts';
import { CLAIM_REQUIRED, CreatorForm } from '~/app/features/studio/creator/creator-form';
import { donationInput } from '~/app/features/studio/creator/page-rules';
import { changeRows, parseRowChange, rowsOf } from '~/app/features/studio/creator/page-values';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { updateCreator } from '~/server/domain/creators/schema';
import { coverUrls } from '~/server/domain/media/rules';

/** Edits the creator page. The start wizard claims it. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  await requireAbility(door, 'creator.manage');
  const creator = await api.creators.mine();
  if (!creator) throw redirect(pathsFor(url).start('page'));
  const [timeZones, donations] = await Promise.all([api.reference.timeZones(), api.donations.settings()]);
  const title = translator(context.language, 'studio')('creator.title');
  const picture = creator.avatarKey ? coverUrls(creator.avatarKey).webp[320] : null;
  return { creator: { ...creator, picture, donations }, address: addressParts(context.urls), timeZones, title };
});

/** Saves the page. Without JavaScript, a row's button only changes the rows in the form. */
export const action = form(
  async ({ api }, values) => {
    const change = parseRowChange(values.intent);
    if (change) return changeRows(values, change);
    // first, because an error here leaves the page unchanged
    if ('thankYouText' in values) await api.donations.updateSettings(donationInput(values));
    await api.creators.update({ ...toInput(updateCreator, values, CLAIM_REQUIRED), ...rowsOf(values) });
    return null;
  },
  {
    then: (changed, { url }) => (changed ? unsaved(changed) : withDoneMessage(pathsFor(url).creatorPage, 'page_saved')),
  },
);

const unsaved = (values: Record<string, string>) =>
  data({ ok: false, code: '', fields: {}, message: null, values } satisfies FormFailure) as never;

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function CreatorPage() {
  const { t } = useTranslation('studio');
  const { creator, timeZones, address } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <PageHeader title={t('creator.title')} lead={t('creator.lead')} />
      <CreatorForm creator={creator} timeZones={timeZones} address={address} failure={failure} />
    </>
  );
}
