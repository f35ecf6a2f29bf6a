import { PlayButton } from '~/app/components/play-button';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate, formatNumber } from '~/server/base/formats';
import type { CampaignView } from '~/server/domain/insertions/campaign-list';
import { countriesText, daysText, doorsText, episodesText, placeText, silenceText } from './campaign-words';
import classes from './insertions.module.css';

/** How often a campaign was heard; what it plays, where, when and for whom. */
export function CampaignFacts({ campaign }: { campaign: CampaignView }) {
  const { t, locale, language } = useTranslation('campaigns');
  const timeZone = useCreatorTimeZone();
  const { clips, countries, endedAt } = campaign;
  const silence = silenceText(campaign, t);
  const facts = [
    ['days', daysText(campaign, t, locale)],
    ...(endedAt ? [['ended', formatDate(endedAt, locale, { dateStyle: 'medium', timeZone })] as const] : []),
    ['place', placeText(campaign, t)],
    ['episodes', episodesText(campaign, t, locale)],
    ['clips', clips.length === 0 ? '–' : <Clips key="clips" clips={clips} />],
    ['doors', doorsText(campaign, t)],
    ['countries', countriesText(countries, language) || t('form.everywhere')],
    ...(silence ? [['silence', silence] as const] : []),
  ] as const;
  return (
    <>
      <Heard campaign={campaign} />
      <dl className={classes.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{t(`fact.${name}`)}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The clips that take turns, to hear. */
function Clips({ clips }: Pick<CampaignView, 'clips'>) {
  return (
    <ul className={classes.plays}>
      {clips.map(({ id, name, url }) => (
        <li key={id}>
          <span dir="auto">{name}</span>
          {url && <PlayButton src={url} name={name} />}
        </li>
      ))}
    </ul>
  );
}

/** Impressions, and their share of the maximum. */
export function Heard({ campaign }: { campaign: Pick<CampaignView, 'impressions' | 'cap'> & { isPaced?: boolean } }) {
  const { t, locale } = useTranslation('campaigns');
  const { impressions, cap, isPaced = false } = campaign;
  return (
    <div className={classes.heard}>
      <p>
        <strong>{formatNumber(impressions, locale)}</strong>{' '}
        {cap === null
          ? t('heard', { count: impressions })
          : t('heardOf', { count: cap, cap: formatNumber(cap, locale) })}
        {isPaced && ` · ${t('paced')}`}
      </p>
      {cap !== null && <progress max={cap} value={Math.min(impressions, cap)} aria-label={t('fact.impressions')} />}
    </div>
  );
}
