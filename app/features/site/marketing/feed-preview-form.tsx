import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainTextField } from '~/app/features/listener/auth/plain-fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { FEED_INPUT } from './feed-field';

/** After these errors, the same address may work. */
const TEMPORARY =
  /^(?:fetch\.(?:timed_out|connection_failed|server_failing|body_cut|host_busy)|import\.preview_(?:busy|too_slow)|common\.too_many_requests)$/;

/** The same question as on the home page, with what went wrong; the address stays in the field. */
export function FeedPreviewForm({ action, failure }: { action?: string; failure?: FormFailure }) {
  const { t } = useTranslation('arrival');
  const { t: tPaste } = useTranslation('marketing');
  return (
    <>
      <AuthForm action={action} failure={failure} submit={tPaste('paste.submit')}>
        <PlainTextField
          {...FEED_INPUT}
          label={tPaste('paste.field')}
          help={failure && TEMPORARY.test(failure.code) ? t('form.later') : undefined}
        />
      </AuthForm>
      <p className="form-foot muted">{tPaste('paste.promise')}</p>
    </>
  );
}
