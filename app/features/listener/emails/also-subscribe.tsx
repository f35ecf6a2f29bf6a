import { AuthForm } from '~/app/features/listener/auth/auth-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { RecommendedNewsletter } from '~/server/domain/newsletter/recommended-newsletters';

/** `confirmed`: the token that proves the address, for half an hour. */
export type Offer = { creator: string; email: string; confirmed: string; newsletters: RecommendedNewsletter[] };

/** Newsletters that a creator recommends, none of them ticked, to the owner of an address that was just confirmed. */
export function AlsoSubscribe({ offer, failure }: { offer: Offer; failure?: FormFailure }) {
  const { t } = useTranslation('newsletter');
  const { creator, email, confirmed, newsletters } = offer;
  return (
    <section className="also" aria-labelledby="also">
      <h2 id="also">{t('also.title')}</h2>
      <p>{t('also.lead', { creator, email })}</p>
      <AuthForm failure={failure} submit={t('also.submit')}>
        <input type="hidden" name="intent" value="also" />
        <input type="hidden" name="confirmed" value={confirmed} />
        <ul>
          {newsletters.map((newsletter) => (
            <li key={newsletter.id}>
              <Newsletter newsletter={newsletter} />
            </li>
          ))}
        </ul>
      </AuthForm>
    </section>
  );
}

function Newsletter({ newsletter: { id, name, description, creator, logo } }: { newsletter: RecommendedNewsletter }) {
  const { t } = useTranslation('newsletter');
  return (
    <label>
      <input type="checkbox" name={`newsletter-${id}`} value={id} />
      {logo && <img src={logo.webp[96]} alt="" width={48} height={48} />}
      <span>
        <span dir="auto">{t('also.newsletter', { name, creator })}</span>
        {description && (
          <span className="small muted" dir="auto">
            {description}
          </span>
        )}
      </span>
    </label>
  );
}

/** The ids of the ticked newsletters of the form. */
export const tickedIn = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => (name.startsWith('newsletter-') ? [value] : []));
