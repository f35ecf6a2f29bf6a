import { Joy } from '~/app/components/joy';
import { GoalBar, ThanksList } from '~/app/features/site/public/creator-sections';
import { LinkedText } from '~/app/features/site/public/linked-text';
import { SiteShell } from '~/app/features/site/site/site-shell';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { DonationPageData } from './donation-data.server';
import { DonationForm } from './donation-form';

type Props = { page: DonationPageData; failure: FormFailure | undefined };

/** The page where visitors donate to a creator, and where they return after paying. */
export function DonationPage({ page, failure }: Props) {
  const { t } = useTranslation('donation');
  const { creator, text, goal, wall, more, given } = page;
  const hasMore = goal !== null || wall.length > 0;
  return (
    <SiteShell brand={creator.brand}>
      <div className={hasMore ? 'wrap donation with-more' : 'wrap donation'}>
        {given?.isPaid && <Joy />}
        <div className="donate">
          <a className="giver-to" href={creator.url}>
            {creator.avatar && <img className="avatar" src={creator.avatar} alt="" width={112} height={112} />}
            <span dir="auto">{creator.name}</span>
          </a>
          <h1 dir="auto">{given ? t('given.title') : t('title', { name: creator.name })}</h1>
          {given ? (
            <GivenDonation page={page} given={given} />
          ) : (
            <>
              {text && (
                <p className="lead" dir="auto">
                  <LinkedText parts={text} />
                </p>
              )}
              <DonationForm page={page} failure={failure} />
            </>
          )}
        </div>
        {hasMore && (
          <aside>
            {goal && <GoalBar goal={goal} level={2} />}
            {wall.length > 0 && (
              <section aria-labelledby="wall">
                <h2 id="wall">{t('wall.title')}</h2>
                <ThanksList wall={wall} more={more} />
              </section>
            )}
          </aside>
        )}
      </div>
    </SiteShell>
  );
}

type GivenDonation = NonNullable<DonationPageData['given']>;

function GivenDonation({ page: { id, creator }, given }: { page: DonationPageData; given: GivenDonation }) {
  const { t } = useTranslation('donation');
  const paths = usePaths();
  const { name } = creator;
  return (
    <>
      <p className="lead" role="status">
        {given.text}
      </p>
      {given.thankYouText && (
        <figure className="thank-you">
          <figcaption className="small muted">{t('given.from', { name })}</figcaption>
          <blockquote dir="auto">{given.thankYouText}</blockquote>
        </figure>
      )}
      <p className="actions form-foot">
        <a className="button" href={creator.url}>
          {t('given.back', { name })}
        </a>
        <Link to={paths.donate(id)}>{t('given.again')}</Link>
      </p>
    </>
  );
}
