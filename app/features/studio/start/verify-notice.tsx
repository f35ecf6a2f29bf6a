import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import pageClasses from '~/app/components/page-header.module.css';
import { SubmitButton } from '~/app/components/submit-button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** Says that the email address is not verified yet, and sends the link again. */
export function VerifyNotice({ email, inboxUrl }: { email: string; inboxUrl: string | null }) {
  const { t } = useTranslation('start');
  return (
    <Alert color="blue" variant="light" mb={24}>
      <p style={{ margin: '0 0 12px' }}>{t('verify.text', { email })}</p>
      <div className={pageClasses.actions}>
        <Form method="post">
          <SubmitButton intent="resend">{t('verify.action')}</SubmitButton>
        </Form>
        {inboxUrl && (
          <Button component="a" href={inboxUrl} variant="default">
            {t('verify.inbox')}
          </Button>
        )}
      </div>
    </Alert>
  );
}
