import { data, redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { addressParts } from '~/app/features/studio/creator/address-parts';
import { PageForm } from '~/app/features/studio/creator/page-form';
import { donationInput } from '~/app/features/studio/creator/page-rules';
import { PageTabs } from '~/app/features/studio/creator/page-tabs';
import { changeRows, parseRowChange, rowsOf } from '~/app/features/studio/creator/page-values';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { pagePartIn } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_REQUIRED } from '~/server/domain/creators/rules';
import { pagePartOf } from '~/server/domain/creators/schema';
import { coverUrls } from '~/server/domain/media/rules';

/** Edits a part of the creator page. The start wizard claims it. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const part = pagePartIn(door);
  await requireAbility(door, 'creator.manage');
  const creator = await api.creators.mine();
  if (!creator) throw redirect(pathsFor(url).start('page'));
  const [timeZones, donations] = await Promise.all([api.reference.timeZones(), api.donations.settings()]);
  const t = translator(context.language, 'studio');
  const title = `${t(`creator.part.${part}`)}: ${t('creator.title')}`;
  const picture = creator.avatarKey ? coverUrls(creator.avatarKey).webp[320] : null;
  return { part, creator: { ...creator, picture, donations }, address: addressParts(context.urls), timeZones, title };
});

/** Saves the part's own fields, whatever else is sent. Without JavaScript, a row's button only changes the rows. */
export const action = form(
  async (door, values) => {
    const part = pagePartIn(door);
    const change = parseRowChange(values.intent);
    if (change) return changeRows(values, change);
    // first, because an error here leaves the page unchanged
    if (part === 'support') await door.api.donations.updateSettings(donationInput(values));
    const rows = part === 'links' ? rowsOf(values) : {};
    await door.api.creators.update({ ...toInput(pagePartOf(part), values, PAGE_REQUIRED), ...rows });
    return null;
  },
  {
    then: (changed, door) =>
      changed ? unsaved(changed) : withDoneMessage(pathsFor(door.url).creatorPagePart(pagePartIn(door)), 'page_saved'),
  },
);

const unsaved = (values: Record<string, string>) =>
  data({ ok: false, code: '', fields: {}, message: null, values } satisfies FormFailure) as never;

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function CreatorPage() {
  const { t } = useTranslation('studio');
  const { part, creator, ...profile } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <PageHeader title={t('creator.title')} lead={t('creator.lead')} help="creatorPage" />
      <PageTabs />
      <PageForm key={part} part={part} creator={creator} failure={failure} {...profile} />
    </>
  );
}
