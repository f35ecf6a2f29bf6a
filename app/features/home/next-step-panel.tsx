import { Button } from '@mantine/core';
import { Form, Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { CopyButton } from '~/app/components/copy-button';
import { EpisodePicture, MicrophonePicture, PagePicture } from '~/app/components/empty-state';
import { SubmitButton } from '~/app/components/submit-button';
import { usePaths } from '~/app/lib/paths';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import classes from './home.module.css';
import { STEPS, type Step } from './next-step';

const PICTURES: Record<Step, ReactNode> = {
  verify: <PagePicture />,
  claim: <PagePicture />,
  product: <MicrophonePicture />,
  episode: <EpisodePicture />,
  share: <PagePicture />,
};

/** The creator's next step, with the progress so far. */
export function NextStepPanel({ step, inboxUrl }: { step: Step; inboxUrl: string | null }) {
  const { t } = useTranslation('studio');
  const { user } = useStudio();
  const at = STEPS.indexOf(step);
  return (
    <section className={classes.next} aria-labelledby="next-step">
      <div className={classes.picture} aria-hidden="true">
        {PICTURES[step]}
      </div>
      <div className={classes.nextWords}>
        <p className={classes.count}>{t('step.count', { at: at + 1, of: STEPS.length })}</p>
        <h2 id="next-step">{t(`step.${step}.title`)}</h2>
        <p>{t(`step.${step}.text`, { email: user.email })}</p>
        <div className={classes.acts}>
          <StepAction step={step} inboxUrl={inboxUrl} />
        </div>
      </div>
    </section>
  );
}

function StepAction({ step, inboxUrl }: { step: Step; inboxUrl: string | null }) {
  const { t } = useTranslation('studio');
  const { user, products } = useStudio();
  const paths = usePaths();
  const [first] = products;
  if (step === 'verify') {
    return (
      <>
        <Form method="post">
          <SubmitButton intent="resend">{t('step.verify.action')}</SubmitButton>
        </Form>
        {inboxUrl && (
          <Button component="a" href={inboxUrl} variant="default">
            {t('step.verify.inbox')}
          </Button>
        )}
      </>
    );
  }
  if (step === 'share' && user.creator) {
    return (
      <>
        <Button component="a" href={user.creator.url} target="_blank" rel="noreferrer">
          {t('step.share.action')}
        </Button>
        <CopyButton text={user.creator.url} label={t('step.share.copy')} done={t('copied')} />
      </>
    );
  }
  const to =
    step === 'claim'
      ? paths.creatorPage
      : step === 'episode' && first
        ? paths.createEpisode(first)
        : paths.createProduct;
  return (
    <Button component={Link} to={to}>
      {t(`step.${step}.action`)}
    </Button>
  );
}
