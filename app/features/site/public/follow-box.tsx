import { useEffect, useRef } from 'react';
import type { FormFailure } from '~/app/lib/doors.server';
import { OFFLINE } from '~/app/lib/offline';
import { useAppUrl } from '~/app/lib/root-data';
import { Form, useNavigation } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';

/** The answer to the form. It does not reveal whether the address is known. */
export type FollowAnswer = FormFailure | { ok: true; email: string } | undefined;

/** `isFollowed`: null for visitors who are not logged in. They follow by email address. */
type Props = { productId: number; isFollowed: boolean | null; answer: FollowAnswer };

/** The form to follow a free show. Links elsewhere lead here: `#follow`. */
export function FollowBox({ productId, isFollowed, answer }: Props) {
  const { t } = useTranslation('follow');
  return (
    <section className="follow" id="follow" aria-labelledby="follow-title">
      <h2 id="follow-title">{t(isFollowed ? 'box.followed' : 'box.title')}</h2>
      {isFollowed === null ? (
        <EmailForm productId={productId} answer={answer} />
      ) : (
        <OneClick productId={productId} isFollowed={isFollowed} />
      )}
    </section>
  );
}

function EmailForm({ productId, answer }: Omit<Props, 'isFollowed'>) {
  const { t } = useTranslation('follow');
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  const field = useRef<HTMLInputElement>(null);
  const isBusy = useNavigation().state !== 'idle';
  const failure = answer?.ok === false ? answer : undefined;
  const { t: tCommon } = useTranslation();
  const isOffline = failure?.code === OFFLINE;
  const error = isOffline ? tCommon('offline.form') : (failure?.fields.email?.join(' ') ?? failure?.message);
  useEffect(() => {
    if (failure) field.current?.focus();
  }, [failure]);

  if (answer?.ok)
    return (
      <p className="notice" role="status">
        {t('box.sent', { email: answer.email })}
      </p>
    );
  return (
    <Form method="post" action="#follow" preventScrollReset noValidate>
      <p className="small">{t('box.lead')}</p>
      <input type="hidden" name="intent" value="email" />
      <input type="hidden" name="productId" value={productId} />
      <label htmlFor="follow-email">{t('box.email')}</label>
      <input
        ref={field}
        className="input"
        id="follow-email"
        type="email"
        name="email"
        autoComplete="email"
        defaultValue={failure?.values.email}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'follow-error follow-terms' : 'follow-terms'}
      />
      {error && (
        <p className="error small" id="follow-error">
          {error}
        </p>
      )}
      <button className="button" type="submit" aria-disabled={isBusy}>
        {t('box.submit')}
      </button>
      <p className="small muted" id="follow-terms">
        {t('box.consent')} <a href={appUrl + paths.terms}>{t('box.terms')}</a> ·{' '}
        <a href={appUrl + paths.privacy}>{t('box.privacy')}</a>
      </p>
    </Form>
  );
}

function OneClick({ productId, isFollowed }: { productId: number; isFollowed: boolean }) {
  const { t } = useTranslation('follow');
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  const isBusy = useNavigation().state !== 'idle';
  return (
    <Form method="post" action="#follow" preventScrollReset>
      <p className="small">{t(isFollowed ? 'box.followedLead' : 'box.lead')}</p>
      <input type="hidden" name="productId" value={productId} />
      {isFollowed && (
        <a className="button" href={appUrl + paths.feedLinks(productId)}>
          {t('box.toFeed')}
        </a>
      )}
      <button
        className={isFollowed ? 'button plain' : 'button'}
        type="submit"
        name="intent"
        value={isFollowed ? 'unfollow' : 'follow'}
        aria-disabled={isBusy}
      >
        {t(isFollowed ? 'box.unfollow' : 'box.submit')}
      </button>
    </Form>
  );
}
