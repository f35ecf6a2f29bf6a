import { useState } from 'react';
import { Button } from '~/app/components/button';
import { TextField } from '~/app/components/fields';
import { FormStateProvider, useField, useFieldSetters, useFormState } from '~/app/components/form-context';
import { SearchSelectField } from '~/app/components/search-select-field';
import { useTranslation } from '~/app/lib/translation';
import { useProcedure } from '~/app/lib/trpc';
import { useHydrated } from '~/app/lib/use-hydrated';
import { formatNumber } from '~/server/base/formats';
import { countriesIn } from '~/server/domain/reference/rules';
import { codesIn } from './campaign-values';
import classes from './insertions.module.css';

/** Countries as their codes with commas between them. Without JavaScript, the user types the codes. */
export function CountryField({ productId }: { productId: number }) {
  const { t } = useTranslation('campaigns');
  return useHydrated() ? (
    <CountryChoice productId={productId} />
  ) : (
    <TextField name="countries" label={t('form.countries')} help={t('form.countryCodes')} autoComplete="off" />
  );
}

function CountryChoice({ productId }: { productId: number }) {
  const { t, language } = useTranslation('campaigns');
  const { value, error } = useField('countries');
  const { setValue } = useFieldSetters('countries');
  const all = countriesIn(language);
  const chosen = codesIn(value);
  const nameOf = (code: string) => all.find((country) => country.code === code)?.name ?? code;
  return (
    <div>
      <input type="hidden" name="countries" value={value} />
      <Picker
        error={error}
        choices={all.filter(({ code }) => !chosen.includes(code))}
        onAdd={(code) => setValue([...chosen, code].join(','))}
      />
      {chosen.length > 0 && (
        <ul className={classes.chips}>
          {chosen.map((code) => (
            <li key={code}>
              <Button
                type="button"
                variant="default"
                size="compact-md"
                aria-label={t('form.removeCountry', { name: nameOf(code) })}
                onClick={() => setValue(chosen.filter((other) => other !== code).join(','))}
              >
                {nameOf(code)} ×
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Reach productId={productId} countries={chosen} />
    </div>
  );
}

type PickerProps = {
  choices: { code: string; name: string }[];
  error: string | undefined;
  onAdd: (code: string) => void;
};

/** A field of its own: what is typed in it is no value of the form. */
function Picker({ choices, error, onAdd }: PickerProps) {
  const { t } = useTranslation('campaigns');
  const outer = useFormState();
  const [added, setAdded] = useState(0);
  const errors: Record<string, string> = error ? { country: error } : {};
  const state = {
    ...outer,
    values: {},
    errors,
    setValue(_: string, code: string) {
      onAdd(code);
      setAdded(added + 1);
    },
  };
  return (
    <FormStateProvider value={state}>
      <SearchSelectField
        key={added}
        name="country"
        label={t('form.countries')}
        help={t('form.countriesHelp')}
        placeholder={t('form.everywhere')}
        noneFound={t('form.noCountry')}
        choices={choices.map(({ code, name }) => ({ value: code, label: name }))}
      />
    </FormStateProvider>
  );
}

/** How many of the latest plays a choice would have reached. */
function Reach({ productId, countries }: { productId: number; countries: string[] }) {
  const { t, locale } = useTranslation('campaigns');
  const { data } = useProcedure('campaigns.reach', { productId, countries }, { keepsFormer: true });
  const number = (value: number) => formatNumber(value, locale);
  return (
    <p className={classes.status} role="status">
      {data && t('form.reach', { count: data.all, reached: number(data.reached), all: number(data.all) })}
    </p>
  );
}
