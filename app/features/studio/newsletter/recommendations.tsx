import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { OwnRecommendation, RecommendedNewsletter } from '~/server/domain/newsletter/recommended-newsletters';
import { RECOMMENDATION_LIMITS } from '~/server/limits/newsletter';
import classes from './recommendations.module.css';

/** `search`: what was searched for; null shows no results. */
export type Search = { search: string; found: RecommendedNewsletter[] } | null;
type Props = { own: OwnRecommendation[]; search: Search; failure?: FormFailure };
const ANCHOR = 'recommendations';

/** Newsletters of others that are offered to people who have just signed up for this one. */
export function Recommendations({ own, search, failure }: Props) {
  const { t } = useTranslation('recommendations');
  const count = RECOMMENDATION_LIMITS.newsletters;
  return (
    <Section id={ANCHOR} title={t('title')}>
      <p className={classes.text}>{t('lead', { count })}</p>
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure.message ?? Object.values(failure.fields).flat().join(' ')}
        </Alert>
      )}
      {own.length > 0 && (
        <ul className={classes.list}>
          {own.map(({ id, name, creator, isShown }) => (
            <li key={id}>
              <div>
                <span dir="auto">{t('newsletter', { name, creator })}</span>
                {!isShown && <p>{t('hidden')}</p>}
              </div>
              <RowForm id={id} intent="unrecommend" label={t('removeOf', { name })} text={t('remove')} />
            </li>
          ))}
        </ul>
      )}
      {own.length < count && <SearchForm search={search} />}
    </Section>
  );
}

function SearchForm({ search }: Pick<Props, 'search'>) {
  const { t } = useTranslation('recommendations');
  return (
    <search className={classes.search}>
      <Form method="get" action={`#${ANCHOR}`} preventScrollReset>
        <label htmlFor="find-newsletter">{t('search')}</label>
        <div className={classes.row}>
          <input
            id="find-newsletter"
            name="find"
            defaultValue={search?.search}
            maxLength={RECOMMENDATION_LIMITS.searchLength}
            autoComplete="off"
            spellCheck={false}
            required
          />
          <Button type="submit" variant="default">
            {t('find')}
          </Button>
        </div>
      </Form>
      {search && search.found.length === 0 && <p role="status">{t('nothing', { search: search.search })}</p>}
      {search && search.found.length > 0 && (
        <ul className={classes.list}>
          {search.found.map(({ id, name, creator, description, logo, url }) => (
            <li key={id}>
              {logo && <img src={logo.webp[96]} alt="" width={48} height={48} />}
              <div>
                <a href={url} dir="auto">
                  {t('newsletter', { name, creator })}
                </a>
                {description && <p dir="auto">{description}</p>}
              </div>
              <RowForm id={id} intent="recommend" label={t('addOf', { name })} text={t('add')} />
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

type Row = { id: number; intent: string; label: string; text: string };

function RowForm({ id, intent, label, text }: Row) {
  return (
    <Form method="post" action={`#${ANCHOR}`} preventScrollReset>
      <input type="hidden" name="creatorId" value={id} />
      <IntentButton intent={intent} label={label}>
        {text}
      </IntentButton>
    </Form>
  );
}
