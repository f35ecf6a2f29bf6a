import { Alert, Button } from '@mantine/core';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { nextStep } from '~/app/features/home/next-step';
import { NextStepPanel } from '~/app/features/home/next-step-panel';
import { Plays } from '~/app/features/home/plays';
import { withDone } from '~/app/features/studio/done';
import { PageHead } from '~/app/features/studio/page-head';
import { useStudio } from '~/app/features/studio/studio-context';
import { titled } from '~/app/features/studio/titled';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { pathsIn, prefixOf, usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';

/** Where a creator stands, and the one thing to do next. */
export const loader = page(async ({ api, context }) => {
  const { isEmailVerified, creator } = await api.accounts.me();
  const [overview, { items }] = creator
    ? await Promise.all([api.listening.overview(), api.products.list({ pageSize: 100 })])
    : [null, { items: [] }];
  const plays = overview ? overview.last30.listens + overview.last30.downloads : 0;
  const step = nextStep({ isEmailVerified, hasPage: creator !== null, products: items, plays });
  const title = translator(context.language, 'studio')('nav.home');
  return { overview, step, inboxUrl: context.inboxUrl, title };
});

/** Sends the verification mail once more. */
export const action = form(({ api }) => api.accounts.resendVerification(), {
  then: (_, { url }) => withDone(pathsIn(prefixOf(url.pathname)).dashboard, 'verification_sent'),
});

export const meta = titled;

export default function Home() {
  const { t } = useTranslation('studio');
  const { user, products } = useStudio();
  const { overview, step, inboxUrl } = useLoaderData<typeof loader>();
  const refusal = useActionData<FormFailure>();
  const paths = usePaths();
  const [first] = products;
  const record = !step && first && (
    <Button component={Link} to={paths.createEpisode(first)}>
      {t('home.newEpisode')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('home.hello', { name: user.creator?.name ?? user.name })} action={record} />
      {refusal?.message && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {refusal.message}
        </Alert>
      )}
      {step && <NextStepPanel step={step} inboxUrl={inboxUrl} />}
      {overview && products.length > 0 && <Plays overview={overview} />}
    </>
  );
}
