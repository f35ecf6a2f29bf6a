import { useFormState } from '~/app/components/form-context';
import type { FormValues } from '~/app/lib/check-form';
import { useTranslation } from '~/app/lib/translation';
import type { CampaignKind, EpisodeSelection, Place } from '~/db/values/insertions';
import { formatNumber } from '~/server/base/formats';
import classes from './campaign-preview.module.css';
import { codesIn, tickedIds } from './campaign-values';
import { countriesText, daysText, doorsText, episodesText, placeText, silenceText } from './campaign-words';

type Props = { clips: { id: number; name: string }[]; isPromised: boolean };

/** What listeners will hear of the campaign, as the form has it at the moment. */
export function CampaignPreview({ clips, isPromised }: Props) {
  const { t, locale, language } = useTranslation('campaigns');
  const { values } = useFormState();
  const place = placeIn(values);
  const countries = codesIn(values.countries ?? '');
  const number = (text: string | undefined) => Number(text) || 0;
  const cap = number(values.cap);
  const [silenceBeforeMs, silenceAfterMs] = [number(values.silenceBeforeMs), number(values.silenceAfterMs)];
  const silence = silenceText({ silenceBeforeMs, silenceAfterMs }, t);
  const facts = [
    ['clips', clipsText(values, clips) ?? t('preview.noClip')],
    ['place', place ? placeText({ place, number: Number(values.number) || 1 }, t) : t('preview.noPlace')],
    ['episodes', episodesText(selectionIn(values), t, locale)],
    ['days', daysText(daysIn(values), t, locale)],
    ['doors', doorsText(doorsIn(values, isPromised), t) || t('preview.nobody')],
    ...(countries.length > 0 ? [['countries', countriesText(countries, language)] as const] : []),
    ...(cap > 0 ? [['cap', formatNumber(cap, locale)] as const] : []),
    ...(silence ? [['silence', silence] as const] : []),
  ] as const;
  return (
    <aside className={classes.preview} aria-labelledby="preview" data-needs-script>
      <h2 id="preview">{t('preview.title')}</h2>
      <Track place={place} />
      <dl>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{t(`fact.${name}`)}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

/** The episode as a line, and the clip in it. */
function Track({ place }: { place: Place | null }) {
  const { t } = useTranslation('campaigns');
  const part = <span className={classes.episode} />;
  const clip = <span className={classes.clip}>{t('preview.clip')}</span>;
  return (
    <div className={classes.track} aria-hidden="true">
      {place === 'pre' && clip}
      {part}
      {place === 'mid' && clip}
      {place === 'mid' && part}
      {place === 'post' && clip}
    </div>
  );
}

const placeIn = ({ place }: FormValues): Place | null =>
  place === 'pre' || place === 'mid' || place === 'post' ? place : null;

/** The names of the ticked clips, and of the new one; null for none. */
function clipsText(values: FormValues, clips: Props['clips']): string | null {
  const ticked = new Set(tickedIds(values, 'clip'));
  const names = clips.filter(({ id }) => ticked.has(id)).map(({ name }) => name);
  const all = values.clipKey ? [...names, values.name ?? ''] : names;
  return all.filter(Boolean).join(' · ') || null;
}

const selectionIn = (values: FormValues) => ({
  selection: (values.selection || 'all') as EpisodeSelection,
  selectionDay: values.selectionDay || null,
  chosen: tickedIds(values, 'episode').length,
});

const daysIn = ({ kind, firstDay, lastDay }: FormValues) => ({
  kind: (kind || 'campaign') as CampaignKind,
  firstDay: kind === 'fallback' ? null : firstDay || null,
  lastDay: lastDay || null,
});

const isOn = (value: string | undefined) => value === 'on' || value === 'true';
const doorsIn = (values: FormValues, isPromised: boolean) => ({
  inPublicFeed: isOn(values.inPublicFeed),
  inPrivateFeeds: !isPromised && isOn(values.inPrivateFeeds),
  inWebPlayer: isOn(values.inWebPlayer),
});
