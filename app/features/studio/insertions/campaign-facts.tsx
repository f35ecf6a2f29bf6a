import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { countryName, formatDate, formatNumber } from '~/server/base/formats';
import type { CampaignView } from '~/server/domain/insertions/campaign-list';
import { daysText, doorsText, episodesText, placeText } from './campaign-words';
import classes from './insertions.module.css';

/** How often a campaign was heard; what it plays, where, when and for whom. */
export function CampaignFacts({ campaign }: { campaign: CampaignView }) {
  const { t, locale, language } = useTranslation('campaigns');
  const timeZone = useCreatorTimeZone();
  const { clips, countries, endedAt } = campaign;
  const facts = [
    ['days', daysText(campaign, t, locale)],
    ...(endedAt ? [['ended', formatDate(endedAt, locale, { dateStyle: 'medium', timeZone })] as const] : []),
    ['place', placeText(campaign, t)],
    ['episodes', episodesText(campaign, t, locale)],
    ['clips', clips.map(({ name }) => name).join(' · ') || '–'],
    ['doors', doorsText(campaign, t)],
    ['countries', countries.map((code) => countryName(code, language)).join(', ') || t('form.everywhere')],
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
