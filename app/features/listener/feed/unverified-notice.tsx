import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** Says that the email address is not verified yet, and sends the link again. */
export function UnverifiedNotice(props: { email: string; inboxUrl: string | null; isSent: boolean }) {
  const { email, inboxUrl, isSent } = props;
  const { t } = useTranslation('follow');
  const { t: tAuth } = useTranslation('auth');
  return (
    <div className="notice" role={isSent ? 'status' : undefined}>
      <p>{isSent ? tAuth('verify.sent') : t('mine.unverified', { email })}</p>
      <div className="actions">
        {!isSent && (
          <Form method="post">
            <button className="button plain slim" type="submit" name="intent" value="verify">
              {tAuth('verify.resend')}
            </button>
          </Form>
        )}
        {inboxUrl && <a href={inboxUrl}>{tAuth('verify.inbox')}</a>}
      </div>
    </div>
  );
}
