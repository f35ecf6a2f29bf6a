import { Checkbox } from '@mantine/core';
import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { SLOT_RULES, type SlotRule } from '~/db/values/insertions';
import type { ReviewPage } from '~/server/domain/insertions/episode-places';
import type { KindName } from '~/server/domain/products/kinds';
import classes from './places.module.css';

type Show = { id: number; kind: KindName };

/** Where episodes of a show get mid-rolls without anybody marking them. */
export function TemplateForm({ rules }: { rules: SlotRule[] }) {
  const { t } = useTranslation('places');
  return (
    <section className={classes.part} aria-labelledby="template">
      <SectionTitle id="template">{t('template.title')}</SectionTitle>
      <p>{t('template.help')}</p>
      <Form method="post" className={classes.part} key={rules.join()}>
        {SLOT_RULES.map((rule) => (
          <Checkbox
            key={rule}
            name={rule}
            value="on"
            defaultChecked={rules.includes(rule)}
            label={t(`template.${rule}`)}
            description={t(`template.${rule}_help`)}
          />
        ))}
        <div>
          <SubmitButton intent="template" quiet>
            {t('template.save')}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}

/** `isFurther`: the list begins after its first page. */
type ReviewProps = { show: Show; found: ReviewPage; isFurther: boolean };

/** The episodes in which somebody should mark a mid-roll, or look at those of a former file. */
export function EpisodesToReview({ show, found, isFurther }: ReviewProps) {
  const { t } = useTranslation('places');
  const paths = usePaths();
  return (
    <section className={classes.part} aria-labelledby="to-review">
      <SectionTitle id="to-review">{t('review.title')}</SectionTitle>
      <p>{found.total === 0 ? t('review.none') : t('review.count', { count: found.total })}</p>
      <ul className={classes.rows}>
        {found.items.map(({ id, name, hasFormer, isMeasured }) => (
          <li key={id} className={classes.row}>
            <div className={classes.words}>
              <Link to={paths.places({ id, productId: show.id, kind: show.kind })} dir="auto">
                {name}
              </Link>
              <span className={classes.fact}>
                {t(hasFormer ? 'review.former' : isMeasured ? 'review.without' : 'review.notMeasured')}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {(isFurther || found.after !== null) && (
        <nav className={classes.pager} aria-label={t('review.pages')}>
          {isFurther && <Link to={paths.placesOfShow(show)}>{t('review.first')}</Link>}
          {found.after !== null && <Link to={`?after=${found.after}#to-review`}>{t('review.next')}</Link>}
        </nav>
      )}
    </section>
  );
}
