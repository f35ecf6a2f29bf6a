import { CheckField, ChoiceField, CustomField, TextField } from '~/app/components/fields';
import { useField, useFormState } from '~/app/components/form-context';
import { MoreFields } from '~/app/components/more-fields';
import { Section } from '~/app/components/page-header';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { timeZoneName } from '~/app/lib/formats';
import type { ProductRef } from '~/app/lib/paths';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import { EPISODE_SELECTIONS, PLACES } from '~/db/values/insertions';
import { CAMPAIGN_LIMITS } from '~/server/limits/insertions';
import { CampaignPreview } from './campaign-preview';
import { episodeName, tickedIds } from './campaign-values';
import { ClipField } from './clip-field';
import { CountryField } from './country-field';
import classes from './insertions.module.css';

type Props = {
  show: ProductRef;
  /** The page that cuts a clip for this form. */
  cutClip: string;
  clips: Parameters<typeof ClipField>[0]['clips'];
  episodes: { id: number; name: string }[];
  initial: FormValues;
  /** The show promises its subscribers no insertions. */
  isPromised: boolean;
  /** A new campaign, or a draft, may stay a draft; a new one chooses its kind. */
  isNew: boolean;
  mayBeDraft: boolean;
  failure?: FormFailure;
};

/** The form of a campaign. Without JavaScript, styles hide the fields that don't apply, and the server ignores them. */
export function CampaignForm(props: Props) {
  const { show, cutClip, clips, episodes, initial, isPromised, isNew, mayBeDraft, failure } = props;
  const { t } = useTranslation('campaigns');
  // as the page opened: a row that is ticked stays where it is
  const ticked = new Set(tickedIds({ ...initial, ...failure?.values }, 'clip'));
  const inOrder = [...clips.filter(({ id }) => ticked.has(id)), ...clips.filter(({ id }) => !ticked.has(id))];
  return (
    <IntentForm intent="save" initial={initial} failure={failure} submit={t('form.submit')}>
      <div className={classes.composed}>
        <div className={classes.groups}>
          <Section title={t('form.what')}>
            <TextField
              name="name"
              label={t('form.name')}
              help={t('form.nameHelp')}
              maxLength={CAMPAIGN_LIMITS.nameLength}
              autoComplete="off"
            />
            <ClipField clips={inOrder} {...{ cutClip, failure }} />
          </Section>
          <Section title={t('form.whereAndWhen')}>
            <PlaceFields />
            <EpisodeFields episodes={episodes} />
            <DayFields show={show} failure={failure} />
          </Section>
          <MoreFields summary={t('form.more')} fields={MORE}>
            {isNew && <KindField />}
            <DoorFields isPromised={isPromised} />
            <LimitFields />
            <CountryField productId={show.id} />
            <div className={classes.pair}>
              <TextField
                name="silenceBeforeMs"
                label={t('form.silenceBefore')}
                inputMode="numeric"
                autoComplete="off"
              />
              <TextField name="silenceAfterMs" label={t('form.silenceAfter')} inputMode="numeric" autoComplete="off" />
            </div>
          </MoreFields>
          {mayBeDraft && <CheckField name="isDraft" label={t('form.draft')} help={t('form.draftHelp')} />}
        </div>
        <CampaignPreview {...{ clips, isPromised }} />
      </div>
    </IntentForm>
  );
}

/** Fields that most campaigns leave as they are. */
const MORE = [
  ...['kind', 'doors', 'inPublicFeed', 'inPrivateFeeds', 'inWebPlayer', 'cap', 'isPaced', 'countries'],
  ...['silenceBeforeMs', 'silenceAfterMs'],
] as const;

function KindField() {
  const { t } = useTranslation('campaigns');
  return (
    <ChoiceField
      name="kind"
      label={t('form.kind')}
      options={(['campaign', 'fallback'] as const).map((value) => ({
        value,
        label: t(`form.kind.${value}`),
        help: t(`form.kind.${value}Help`),
      }))}
    />
  );
}

function PlaceFields() {
  const { t } = useTranslation('campaigns');
  const { values } = useFormState();
  const isShown = !useHydrated() || values.place === 'mid';
  return (
    <div className={`${classes.stack} ${classes.choices}`}>
      <ChoiceField
        name="place"
        isRow
        label={t('form.place')}
        options={PLACES.map((value) => ({
          value,
          label: t(`form.place.${value}`),
          help: t(`form.place.${value}Help`),
        }))}
      />
      {isShown && (
        <div className={classes.ofMid}>
          <TextField
            name="number"
            label={t('form.number')}
            help={t('form.numberHelp', { max: CAMPAIGN_LIMITS.midRolls })}
            inputMode="numeric"
            autoComplete="off"
          />
        </div>
      )}
    </div>
  );
}

function EpisodeFields({ episodes }: Pick<Props, 'episodes'>) {
  const { t } = useTranslation('campaigns');
  const { values } = useFormState();
  const isHydrated = useHydrated();
  const byDay = values.selection === 'before' || values.selection === 'new';
  const listed = new Set(episodes.map(({ id }) => episodeName(id)));
  const others = Object.keys(values).filter(
    (name) => name.startsWith('episode-') && values[name] === 'on' && !listed.has(name),
  );
  return (
    <div className={`${classes.stack} ${classes.choices}`}>
      <ChoiceField
        name="selection"
        label={t('form.episodes')}
        options={EPISODE_SELECTIONS.map((value) => ({ value, label: t(`form.selection.${value}`) }))}
      />
      {(!isHydrated || byDay) && (
        <div className={classes.ofDay}>
          <TextField
            name="selectionDay"
            type="date"
            label={t(values.selection === 'new' ? 'form.newFrom' : 'form.before')}
            help={isHydrated ? undefined : t('form.selectionDayHelp')}
          />
        </div>
      )}
      {(!isHydrated || values.selection === 'chosen') && (
        <div className={classes.ofChosen}>
          <CustomField name="episodeIds" label={t('form.chosen')}>
            <div className={classes.box}>
              {episodes.map(({ id, name }) => (
                <CheckField key={id} name={episodeName(id)} label={<bdi>{name}</bdi>} />
              ))}
              {others.map((name) => (
                <input key={name} type="hidden" name={name} value="on" />
              ))}
            </div>
          </CustomField>
        </div>
      )}
    </div>
  );
}

function useIsFallback(): boolean {
  const { values } = useFormState();
  return useHydrated() && values.kind === 'fallback';
}

function DayFields({ show, failure }: Pick<Props, 'show' | 'failure'>) {
  const { t } = useTranslation('campaigns');
  const zone = timeZoneName(useCreatorTimeZone());
  if (useIsFallback()) return null;
  return (
    <div className={`${classes.stack} ${classes.ofCampaign}`}>
      <div className={classes.pair}>
        <TextField name="firstDay" type="date" label={t('form.firstDay')} />
        <TextField name="lastDay" type="date" label={t('form.lastDay')} />
      </div>
      <p className={classes.status}>{t('form.daysHelp', { zone })}</p>
      <TakenDays show={show} params={failure?.params} />
    </div>
  );
}

/** Why the days are taken, with a link to the campaign that has them. */
function TakenDays({ show, params = {} }: { show: ProductRef; params?: FormFailure['params'] }) {
  const { t } = useTranslation('campaigns');
  const paths = usePaths();
  const { error } = useField('days');
  const { id, campaign } = params;
  if (!error) return null;
  return (
    <p className={classes.error} role="alert" tabIndex={-1}>
      {error}{' '}
      {typeof id === 'number' && (
        <Link to={paths.campaign(show, id)}>{t('form.openOther', { name: campaign ?? '' })}</Link>
      )}
    </p>
  );
}

function LimitFields() {
  const { t } = useTranslation('campaigns');
  if (useIsFallback()) return null;
  return (
    <div className={`${classes.stack} ${classes.ofCampaign}`}>
      <TextField name="cap" label={t('form.cap')} help={t('form.capHelp')} inputMode="numeric" autoComplete="off" />
      <CheckField name="isPaced" label={t('form.paced')} help={t('form.pacedHelp')} />
    </div>
  );
}

const DOORS = ['inPublicFeed', 'inPrivateFeeds', 'inWebPlayer'] as const;

function DoorFields({ isPromised }: Pick<Props, 'isPromised'>) {
  const { t } = useTranslation('campaigns');
  return (
    <CustomField name="doors" label={t('form.doors')} help={t(isPromised ? 'form.doorsPromised' : 'form.doorsHelp')}>
      <div className={classes.stack}>
        {DOORS.filter((name) => !isPromised || name !== 'inPrivateFeeds').map((name) => (
          <CheckField key={name} name={name} label={t(`form.${name}`)} />
        ))}
        {isPromised && <input type="hidden" name="inPrivateFeeds" value="false" />}
      </div>
    </CustomField>
  );
}
