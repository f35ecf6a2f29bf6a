import { useMemo } from 'react';
import { TextAreaField, TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { MessagesToBuyer } from '~/server/domain/billing/buyers/buyers';
import { MESSAGE_LIMITS } from '~/server/limits/buyers';
import { formatDay } from './buyer-list';
import classes from './sales.module.css';

/** @param formKey of this form: sending it twice sends one message */
type Props = { messages: MessagesToBuyer; formKey: string; failure?: FormFailure };

/** Sends an email to one person, and lists those that were sent. */
export function MessageForm({ messages: { mayWrite, replyTo, sent }, formKey, failure }: Props) {
  const { t, locale } = useTranslation('buyers');
  // the next form, after a message was sent, is empty
  const initial = useMemo(() => ({ subject: '', text: '' }), [formKey]);
  return (
    <Section id="message" title={t('message.title')}>
      {mayWrite ? (
        <IntentForm intent="message" initial={initial} failure={failure} submit={t('message.send')} anchor="message">
          <input type="hidden" name="key" value={formKey} />
          <TextField name="subject" label={t('message.subject')} maxLength={MESSAGE_LIMITS.subject} required />
          <TextAreaField
            name="text"
            label={t('message.text')}
            help={t('message.help', { replyTo, max: MESSAGE_LIMITS.text })}
            rows={5}
            maxLength={MESSAGE_LIMITS.text}
            required
          />
        </IntentForm>
      ) : (
        <p className={classes.fact}>{t('message.refused')}</p>
      )}
      {sent.length > 0 && (
        <>
          <h3 className={classes.subtitle}>{t('message.sent')}</h3>
          <ul className={classes.messages}>
            {sent.map(({ id, subject, text, createdAt }) => (
              <li key={id}>
                <details>
                  <summary>
                    <span dir="auto">{subject}</span> <time>{formatDay(createdAt, locale)}</time>
                  </summary>
                  <p dir="auto">{text}</p>
                </details>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
