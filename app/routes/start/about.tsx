import { redirect } from '@remix-run/node';
import { SectionTitle } from '~/app/components/section-title';
import { AboutForm } from '~/app/features/studio/start/about-form';
import { nextPath } from '~/app/features/studio/start/step-paths';
import { toInput } from '~/app/lib/check-form';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { updateCreator } from '~/server/domain/creators/schema';
import { coverUrls } from '~/server/domain/media/rules';

/** The creator page's text about its creator. This step needs the page. */
export const loader = page(async ({ api, context, url }) => {
  const creator = await api.creators.mine();
  if (!creator) throw redirect(pathsFor(url).start('page'));
  const { aboutTitle, aboutText, avatarKey } = creator;
  const picture = avatarKey ? coverUrls(avatarKey).webp[320] : null;
  const title = translator(context.language, 'start')('step.about.title');
  return { aboutTitle: aboutTitle ?? '', aboutText: aboutText ?? '', picture, title };
});

export const action = form(
  async ({ api }, values) => {
    await api.creators.update(toInput(updateCreator, values, []));
    return api.start.progress();
  },
  // an empty text is also accepted, because an introduction is optional
  {
    then: (progress, { url }) => {
      const [paths, isSkipped] = [pathsFor(url), progress.next === 'about'];
      return isSkipped ? paths.createProduct : nextPath(paths, progress);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function About() {
  const { t } = useTranslation('start');
  const { title: _, ...about } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <SectionTitle>{t('step.about.title')}</SectionTitle>
      <AboutForm {...about} failure={failure} />
    </>
  );
}
