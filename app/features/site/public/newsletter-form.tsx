import { useEffect, useRef } from 'react';
import type { FormFailure } from '~/app/lib/doors.server';
import { OFFLINE } from '~/app/lib/offline';
import { useAppUrl } from '~/app/lib/root-data';
import { Form, useNavigation } from '~/app/lib/router';
import { usePublicPaths, useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { BotSigns } from './bot-signs';

/** `tracksReaders`: the creator asks whether they may see when people last read. */
type Asks = { creator: string; tracksReaders: boolean };

/**
 * Asks for an email address and sends it to a separate page, because the creator's page is the same for all visitors.
 */
export function NewsletterForm({ creator, tracksReaders, failure }: Asks & { failure?: FormFailure }) {
  const { t } = useTranslation('newsletter');
  const { t: tCommon } = useTranslation();
  const paths = usePublicPaths();
  const privacy = useAppUrl() + useSitePaths().privacy;
  const field = useRef<HTMLInputElement>(null);
  const isBusy = useNavigation().state !== 'idle';
  const isOffline = failure?.code === OFFLINE;
  const error = isOffline ? tCommon('offline.form') : (failure?.fields.email?.join(' ') ?? failure?.message);
  useEffect(() => {
    if (failure) field.current?.focus();
  }, [failure]);

  return (
    <Form method="post" action={paths.newsletterForm} className="newsletter-form" noValidate>
      <BotSigns />
      <label htmlFor="newsletter-email">{t('form.email')}</label>
      <div className="copy-row">
        <input
          ref={field}
          className="input"
          id="newsletter-email"
          type="email"
          name="email"
          autoComplete="email"
          required
          defaultValue={failure?.values.email}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'newsletter-error newsletter-terms' : 'newsletter-terms'}
        />
        <button className="button" type="submit" aria-disabled={isBusy}>
          {t('form.submit')}
        </button>
      </div>
      {error && (
        <p className="error" id="newsletter-error">
          {error}
        </p>
      )}
      {tracksReaders && (
        <div className="check">
          <input
            type="checkbox"
            id="newsletter-tracked"
            name="isTracked"
            value="on"
            defaultChecked={failure?.values.isTracked === 'on'}
            aria-describedby="newsletter-tracked-help"
          />
          <label htmlFor="newsletter-tracked" dir="auto">
            {t('tracking.label', { creator })}
          </label>
          <p className="help" id="newsletter-tracked-help">
            {t('tracking.help')}
          </p>
        </div>
      )}
      <p className="small muted" id="newsletter-terms">
        {t('form.consent')} {!tracksReaders && `${t('form.unwatched')} `}
        <a href={privacy}>{t('form.privacy')}</a>
      </p>
    </Form>
  );
}

/** The newsletter section of the creator's page. */
export function NewsletterSection({ creator, tracksReaders }: Asks) {
  const { t } = useTranslation('newsletter');
  return (
    <section className="section newsletter" aria-labelledby="newsletter">
      <h2 id="newsletter" dir="auto">
        {t('form.title', { name: creator })}
      </h2>
      <p className="muted" dir="auto">
        {t('form.lead', { name: creator })}
      </p>
      <NewsletterForm creator={creator} tracksReaders={tracksReaders} />
    </section>
  );
}
