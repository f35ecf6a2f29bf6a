import { type ChangeEvent, useEffect, useState } from 'react';
import { Button } from '~/app/components/button';
import { closeToasts, showToast } from '~/app/components/toast';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { useFetcher, useRevalidator } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useProcedure } from '~/app/lib/trpc';
import { SECONDS } from '~/server/base/time';
import { EMAIL_CODE_LIMITS } from '~/server/limits/accounts';
import classes from './verify-bar.module.css';

type Answer = { ok: true } | FormFailure;

/**
 * Until the address is verified: asks for the code in the email, and says what waits for it. Both forms keep the page
 * and what was typed there; without JavaScript, they open the page of the link.
 */
export function VerifyBar() {
  const { t } = useTranslation('studio');
  const { user, verification } = useStudio();
  const code = useFetcher<Answer>();
  const isDone = code.data?.ok === true;
  useReloadOnceReleased(isDone);
  useEffect(() => {
    if (!isDone) return;
    // “It will be published once your address is verified” is no longer true
    closeToasts();
    showToast(t('verify.done'), t('close'));
  }, [isDone, t]);
  if (user.isEmailVerified || !verification) return null;
  const [first, ...more] = verification.waiting;
  return (
    <section className={classes.bar} aria-label={t('verify.label')}>
      <p>
        {t('verify.text', { email: user.email })}{' '}
        {first && (
          <strong>
            {more.length > 0
              ? t('verify.waitingMore', { name: first.name, count: more.length })
              : t('verify.waiting', { name: first.name })}
          </strong>
        )}
      </p>
      <CodeForm fetcher={code} />
      <Resend inboxUrl={verification.inboxUrl} />
    </section>
  );
}

/** A job publishes what has waited; then the page shows it. */
function useReloadOnceReleased(isVerified: boolean): void {
  const { revalidate } = useRevalidator();
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => void setWaiting(isVerified), [isVerified]);
  const { data } = useProcedure('episodes.keptReleases', undefined, { enabled: isWaiting, everyMs: SECONDS(1) });
  const isOver = isWaiting && data?.length === 0;
  useEffect(() => {
    if (!isOver) return;
    setWaiting(false);
    void revalidate();
  }, [isOver, revalidate]);
}

function CodeForm({ fetcher }: { fetcher: ReturnType<typeof useFetcher<Answer>> }) {
  const { t } = useTranslation('studio');
  const paths = usePaths();
  const failure = fetcher.state === 'idle' && fetcher.data?.ok === false ? fetcher.data : null;
  const problem = failure && (failure.message ?? Object.values(failure.fields).flat()[0]);
  const submitWhenComplete = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    if (currentTarget.value.replace(/\D/g, '').length === EMAIL_CODE_LIMITS.digits) currentTarget.form?.requestSubmit();
  };
  return (
    <fetcher.Form method="post" action={paths.verifyEmail} className={classes.code}>
      <input
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={EMAIL_CODE_LIMITS.digits + 1}
        required
        aria-label={t('verify.code')}
        placeholder="000000"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? 'verify-problem' : undefined}
        onChange={submitWhenComplete}
      />
      <Button type="submit" size="compact-md" variant="default" loading={fetcher.state !== 'idle'}>
        {t('verify.submit')}
      </Button>
      {problem && (
        <p className={classes.problem} id="verify-problem" role="alert">
          {problem}
        </p>
      )}
    </fetcher.Form>
  );
}

function Resend({ inboxUrl }: { inboxUrl: string | null }) {
  const { t } = useTranslation('studio');
  const paths = usePaths();
  const { Form, state, data } = useFetcher<Answer>();
  const message = data?.ok ? t('verify.sent') : data?.message;
  return (
    <Form method="post" action={paths.verifyEmail} className={classes.again}>
      {state === 'idle' && message && <span role="status">{message}</span>}
      <Button type="submit" size="compact-md" variant="subtle" color="gray" loading={state !== 'idle'}>
        {t('verify.again')}
      </Button>
      {inboxUrl && <a href={inboxUrl}>{t('verify.inbox')}</a>}
    </Form>
  );
}
