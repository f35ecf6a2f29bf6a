import { NativeSelect } from '@mantine/core';
import { Button } from '~/app/components/button';
import { FilterForm } from '~/app/components/filter-form';
import { SoundPlayer } from '~/app/components/sound-player';
import { categoryChoices, categoryName } from '~/app/features/studio/product/category-choices';
import { formatClock } from '~/app/lib/clock';
import { Link, useSearchParams } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { RecommendableShow } from '~/server/domain/recommendations/find-shows';
import { AUDIENCE_STEP_NAMES } from '~/server/domain/recommendations/rules';
import classes from './recommendations.module.css';

export type ShowQuery = { search: string; language: string; category: string; size: string };
/** Codes of languages with their names. */
export type Languages = { value: string; label: string }[];

/** The search for shows that can be recommended. The URL keeps it. */
export function ShowSearch({ query, languages }: { query: ShowQuery; languages: Languages }) {
  const { t, language } = useTranslation('recommending');
  const sizes = AUDIENCE_STEP_NAMES.map((value) => ({ value, label: t(`size.${value}`) }));
  const first = (name: string) => ({ value: '', label: t(`search.${name}`) });
  return (
    <FilterForm
      label={t('search.label')}
      apply={t('search.apply')}
      search={{ label: t('search.words'), value: query.search }}
    >
      <NativeSelect
        name="language"
        className={classes.filter}
        aria-label={t('search.language')}
        defaultValue={query.language}
        data={[first('anyLanguage'), ...languages]}
      />
      <NativeSelect
        name="category"
        className={classes.filter}
        aria-label={t('search.category')}
        defaultValue={query.category}
        data={[first('anyCategory'), ...categoryChoices(language)]}
      />
      <NativeSelect
        name="size"
        className={classes.filter}
        aria-label={t('search.size')}
        defaultValue={query.size}
        data={[first('anySize'), ...sizes]}
      />
    </FilterForm>
  );
}

/** Shows with their promos; choosing one opens the request. */
export function ShowResults({ shows, languages }: { shows: RecommendableShow[]; languages: Languages }) {
  const { t } = useTranslation('recommending');
  const [params] = useSearchParams();
  const choose = (id: number) => `?${new URLSearchParams([...params, ['choose', String(id)]])}`;
  return (
    <ul className={classes.list}>
      {shows.map((show) => (
        <li key={show.id}>
          <img src={show.cover.webp[96]} alt="" width={64} height={64} />
          <div>
            <ShowWords show={show} languages={languages} />
            <ShowPromo promo={show.promo} />
          </div>
          <Button
            component={Link}
            to={choose(show.id)}
            variant="default"
            aria-label={t('chooseOf', { name: show.name })}
          >
            {t('choose')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

export function ShowWords({ show, languages }: { show: RecommendableShow; languages: Languages }) {
  const { t, language } = useTranslation('recommending');
  return (
    <>
      <p className={classes.sentence}>
        <a href={show.url} dir="auto">
          {show.name}
        </a>
      </p>
      <p className={classes.facts}>
        <span dir="auto">{t('by', { name: show.creator.name })}</span>
        <span>{categoryName(show.category, language)}</span>
        <span>{languages.find(({ value }) => value === show.language)?.label ?? show.language}</span>
        <span>{t(`size.${show.audience}`)}</span>
      </p>
      <p className={classes.about} dir="auto">
        {show.description}
      </p>
    </>
  );
}

export function ShowPromo({ promo }: { promo: RecommendableShow['promo'] }) {
  const { t } = useTranslation('recommending');
  const facts = t('promo', { episode: promo.episode, length: formatClock(promo.durationSeconds) });
  return (
    <div className={classes.player}>
      <SoundPlayer src={new URL(promo.url).pathname} durationSeconds={promo.durationSeconds} facts={facts} />
    </div>
  );
}
