import { Alert, Button } from '@mantine/core';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { PageHeader } from '~/app/components/page-header';
import { nextStep } from '~/app/features/home/next-step';
import { NextStepPanel } from '~/app/features/home/next-step-panel';
import { Plays } from '~/app/features/home/plays';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { useStudio } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** A creator's plays and their next step. */
export const loader = page(async ({ api, context }) => {
  const { isEmailVerified, creator } = await api.accounts.me();
  const [overview, { items }] = creator
    ? await Promise.all([api.listening.overview(), api.products.list({ pageSize: PAGE_LIMITS.maxSize })])
    : [null, { items: [] }];
  const plays = overview ? overview.last30.listens + overview.last30.downloads : 0;
  const step = nextStep({ isEmailVerified, hasPage: creator !== null, products: items, plays });
  const title = translator(context.language, 'studio')('nav.home');
  return { overview, step, inboxUrl: context.inboxUrl, title };
});

/** Sends the verification email again. */
export const action = form(({ api }) => api.accounts.resendVerification(), {
  then: (_, { url }) => withDoneMessage(pathsFor(url).dashboard, 'verification_sent'),
});

export const meta = titleMeta;

export default function Home() {
  const { t } = useTranslation('studio');
  const { user, products } = useStudio();
  const { overview, step, inboxUrl } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const [first] = products;
  const newEpisode = !step && first && (
    <Button component={Link} to={paths.createEpisode(first)}>
      {t('home.newEpisode')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('home.hello', { name: user.creator?.name ?? user.name })} action={newEpisode} />
      {failure?.message && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {failure.message}
        </Alert>
      )}
      {step && <NextStepPanel step={step} inboxUrl={inboxUrl} />}
      {overview && products.length > 0 && <Plays overview={overview} />}
    </>
  );
}
