import { useMemo } from 'react';
import { type Choice, SelectField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { useProcedure } from '~/app/lib/trpc';
import type { EditionAudience } from '~/db/values/editions';
import type { Translate } from '~/locales/translate';
import { formatNumber } from '~/server/base/formats';
import type { EditionChoices } from '~/server/domain/newsletter/edition-choices';
import { EditionForm } from './edition-form';
import type { StepProps } from './edition-steps';
import classes from './newsletter.module.css';

export function AudienceStep({ edition, choices, failure }: StepProps) {
  const { t } = useTranslation('editions');
  const { audience, reach } = edition;
  const value = audienceValue(audience);
  const initial = useMemo(() => ({ audience: value }), [value]);
  const offered = audienceChoices(choices, t);
  const isListed = offered.some((choice) => choice.value === value);
  return (
    <EditionForm edition={edition} initial={initial} failure={failure} submit={t('next')}>
      <SelectField
        name="audience"
        label={t('field.audience')}
        choices={isListed ? offered : [{ value, label: t('audience.gone') }, ...offered]}
      />
      <Reach saved={value} reach={reach} />
    </EditionForm>
  );
}

/** How many people the chosen audience has: with scripts, as soon as it is chosen. */
function Reach({ saved, reach }: { saved: string; reach: number | null }) {
  const { t, locale } = useTranslation('editions');
  const { values } = useFormState();
  const chosen = values.audience ?? saved;
  const isOther = chosen !== saved;
  const asked = useProcedure('editions.reach', { audience: chosen } as never, { enabled: isOther, keepsFormer: true });
  const shown = isOther ? asked.data?.reach : reach;
  return (
    <p className={classes.reach} role="status">
      {shown === undefined ? '' : reachText(shown, t, locale)}
    </p>
  );
}

export function reachText(reach: number | null, t: Translate, locale: Parameters<typeof formatNumber>[1]): string {
  if (reach === null) return t('reachHidden');
  return reach === 0 ? t('reachNobody') : t('reach', { count: reach, number: formatNumber(reach, locale) });
}

const audienceValue = ({ group, of }: EditionAudience): string => (of === undefined ? group : `${group}:${of}`);

function audienceChoices({ shows, tags, segments }: EditionChoices, t: Translate): Choice[] {
  const ofShow = shows.flatMap(({ slug, name, isPaid }) =>
    (isPaid ? (['subscribers', 'buyers'] as const) : (['followers'] as const)).map((group) => ({
      value: `${group}:${slug}`,
      label: t(`audience.${group}`, { name }),
    })),
  );
  return [
    { value: 'everyone', label: t('audience.everyone') },
    ...ofShow,
    ...tags.map((name) => ({ value: `tag:${name}`, label: t('audience.tag', { name }) })),
    ...segments.map(({ id, name }) => ({ value: `segment:${id}`, label: t('audience.segment', { name }) })),
  ];
}
