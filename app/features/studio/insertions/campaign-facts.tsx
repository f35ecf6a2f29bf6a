import { useTranslation } from '~/app/lib/translation';
import { countryName } from '~/server/base/formats';
import type { CampaignView } from '~/server/domain/insertions/campaign-list';
import { daysText, doorsText, episodesText, impressionsText, placeText } from './campaign-words';
import classes from './insertions.module.css';

/** What a campaign plays, where, when and for whom. */
export function CampaignFacts({ campaign }: { campaign: CampaignView }) {
  const { t, locale, language } = useTranslation('campaigns');
  const { clips, countries, isPaced } = campaign;
  const facts = [
    ['impressions', impressionsText(campaign, t, locale) + (isPaced ? ` · ${t('paced')}` : '')],
    ['days', daysText(campaign, t, locale)],
    ['place', placeText(campaign, t)],
    ['episodes', episodesText(campaign, t, locale)],
    ['clips', clips.map(({ name }) => name).join(' · ') || '–'],
    ['doors', doorsText(campaign, t)],
    ['countries', countries.map((code) => countryName(code, language)).join(', ') || t('form.everywhere')],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{t(`fact.${name}`)}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
