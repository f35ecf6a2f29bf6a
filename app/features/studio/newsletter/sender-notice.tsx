import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { NewsletterView } from '~/server/domain/newsletter/newsletter-settings';

type Props = {
  newsletter: Pick<NewsletterView, 'isDefined' | 'senderEmail' | 'replyTo'>;
  failure?: FormFailure;
};

/** Says where answers go as long as the address for them is not verified. */
export function SenderNotice({ newsletter: { isDefined, senderEmail, replyTo }, failure }: Props) {
  const { t } = useTranslation('editions');
  if (!isDefined || replyTo === senderEmail) return null;
  const text = replyTo === null ? 'settings.senderWaitingNowhere' : 'settings.senderWaiting';
  return (
    <Alert color="yellow" variant="light" mb={24} id="sender">
      <p style={{ overflowWrap: 'anywhere', margin: '0 0 12px' }}>
        {t(text, { email: senderEmail, replyTo: replyTo ?? '' })}
      </p>
      {failure && <p role="alert">{failure.message ?? Object.values(failure.fields).flat().join(' ')}</p>}
      <Form method="post" action="#sender">
        <Button type="submit" name="intent" value="sender" variant="default" size="compact-md">
          {t('settings.senderResend')}
        </Button>
      </Form>
    </Alert>
  );
}
