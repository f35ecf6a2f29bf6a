import { CheckField, ChoiceField, CustomField, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { timeZoneName } from '~/app/lib/formats';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import { RECOMMENDED_IN } from '~/db/values/recommendations';
import type { RecommendableShow } from '~/server/domain/recommendations/find-shows';
import classes from './recommendations.module.css';
import { type Languages, ShowPromo, ShowWords } from './show-results';

type Props = {
  own: { name: string; episodes: { id: number; name: string }[] };
  show: RecommendableShow;
  languages: Languages;
  today: string;
  failure?: FormFailure;
};

/** What the own show offers to the chosen one: where its promo plays, and on which days. */
export function RequestForm({ own, show, languages, today, failure }: Props) {
  const { t } = useTranslation('recommending');
  const zone = timeZoneName(useCreatorTimeZone());
  const names = { own: own.name, other: show.name };
  const places = [
    { value: 'false', label: t('atStart') },
    { value: 'true', label: t('atEnd') },
  ];
  const selections = RECOMMENDED_IN.map((value) => ({
    value,
    label: t(`episodes.${value}`),
    help: t(`episodes.${value}Help`),
  }));
  return (
    <div className={classes.composed} id="request">
      <div className={classes.chosen}>
        <ShowWords show={show} languages={languages} />
        <ShowPromo promo={show.promo} />
      </div>
      <IntentForm
        intent="request"
        initial={{ isAtEnd: 'false', selection: 'all', firstDay: today, lastDay: '', isSwap: 'false' }}
        failure={failure}
        submit={t('request.submit')}
        anchor="request"
      >
        <input type="hidden" name="recommendedId" value={show.id} />
        <input type="hidden" name="episodeId" value={show.promo.episodeId} />
        <ChoiceField name="isAtEnd" label={t('request.place')} options={places} />
        <ChoiceField name="selection" label={t('request.episodes')} help={t('request.doors')} options={selections} />
        <EpisodeChoice episodes={own.episodes} values={failure?.values ?? {}} />
        <div className={classes.pair}>
          <TextField name="firstDay" type="date" label={t('request.firstDay')} />
          <TextField name="lastDay" type="date" label={t('request.lastDay')} />
        </div>
        <p className={classes.help}>
          {t('request.days', { zone })} {t('request.lastDayHelp')}
        </p>
        <CheckField name="isSwap" label={t('request.swap', names)} help={t('request.swapHelp', names)} />
      </IntentForm>
    </div>
  );
}

/** Only for chosen episodes. Each episode has a name of its own: a form keeps one value for each name. */
function EpisodeChoice({ episodes, values }: { episodes: Props['own']['episodes']; values: Record<string, string> }) {
  const { t } = useTranslation('recommending');
  const { selection } = useFormState().values;
  if (useHydrated() && selection !== 'chosen') return null;
  return (
    <CustomField name="episodeIds" label={t('request.chosen')} help={t('request.chosenHelp')}>
      <div className={classes.episodes}>
        {episodes.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              name={`episode-${id}`}
              value="on"
              defaultChecked={values[`episode-${id}`] === 'on'}
            />
            <span dir="auto">{name}</span>
          </label>
        ))}
      </div>
    </CustomField>
  );
}
