import { redirect } from '@remix-run/node';
import { useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { PageHeader } from '~/app/components/page-header';
import { Tabs } from '~/app/components/tabs';
import { AudienceStep } from '~/app/features/studio/newsletter/audience-step';
import { ContentStep } from '~/app/features/studio/newsletter/content-step';
import { EditionPill } from '~/app/features/studio/newsletter/edition-list';
import { editionSections } from '~/app/features/studio/newsletter/edition-sections.server';
import { STEPS, stepIn } from '~/app/features/studio/newsletter/edition-steps';
import type { Checked } from '~/app/features/studio/newsletter/link-check';
import { ReviewStep } from '~/app/features/studio/newsletter/review-step';
import { SeoStep } from '~/app/features/studio/newsletter/seo-step';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The form of an edition that was not sent yet, in steps (spec §2.1: `?step=`). */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const id = parseId(door.params.id);
  const step = stepIn(url);
  const edition = await api.editions.get({ id });
  if (edition.automationId !== null) throw redirect(pathsFor(url).automationStep(edition.automationId, id));
  if (edition.status !== 'draft' && edition.status !== 'scheduled') throw redirect(pathsFor(url).edition(id));
  const [choices, preview, creator, versions, emailsLeft] = await Promise.all([
    api.editions.choices(),
    step === 'review' ? api.editions.preview({ id }) : null,
    api.creators.mine(),
    step === 'content' ? api.editions.versions({ id }) : [],
    step === 'review' ? api.editions.emailsLeft() : null,
  ]);
  const title = edition.title || translator(context.language, 'editions')('untitled');
  const { problems = [], subject = '', sender = '', from = '', restFrom = null } = preview ?? {};
  const found = { problems, versions, preview: { subject, sender, from, restFrom }, emailsLeft };
  return { title, step, edition, choices, ...found, timeZone: creator?.timeZone ?? 'UTC' };
});

export const action = form(sectionAction(editionSections), { then: (next) => next });

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

const PARTS = { content: ContentStep, audience: AudienceStep, seo: SeoStep, review: ReviewStep };

export default function EditEdition() {
  const { t } = useTranslation('editions');
  const { title, step, ...found } = useLoaderData<typeof loader>();
  const [typed, setTyped] = useState<string | null>(null);
  const result = useActionData<FormFailure | Checked>();
  const [failure, links] = result?.ok ? [undefined, result.links] : [result, undefined];
  const paths = usePaths();
  const { id, status } = found.edition;
  const Step = PARTS[step];
  return (
    <>
      <PageHeader
        // the heading follows what is typed
        title={(step === 'content' && typed) || title}
        back={<Link to={paths.newsletter}>{t('title')}</Link>}
        help="editEdition"
        action={
          <Button component={Link} to={paths.previewEdition(id)} variant="default">
            {t('preview.open')}
          </Button>
        }
      />
      <p>
        <EditionPill status={status} />
      </p>
      <Tabs label={t('step.label')}>
        {STEPS.map((name) => (
          <Link key={name} to={`?step=${name}`} aria-current={name === step ? 'page' : undefined}>
            {t(`step.${name}`)}
          </Link>
        ))}
      </Tabs>
      {status === 'scheduled' && step !== 'review' && (
        <Alert color="yellow" variant="light" mb={24}>
          {t('scheduledNotice')} <Link to={paths.editEdition(id, 'review')}>{t('review.unschedule')}</Link>
        </Alert>
      )}
      {/* a version that was restored replaces what the form shows */}
      <Step
        key={`${step} ${id} ${found.versions[0]?.revision}`}
        {...found}
        failure={failure}
        links={links}
        onTitle={setTyped}
      />
    </>
  );
}
