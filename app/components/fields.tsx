import { Checkbox, NativeSelect, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '~/app/lib/translation';
import classes from './fields.module.css';
import { useField } from './form-context';

type Common = { name: string; label: ReactNode; help?: ReactNode; required?: boolean };
/** By default, the id is the name, which must then be the only one of its page. */
type Id = { id?: string };

type TextFieldProps = Common &
  Id &
  Pick<
    TextInputProps,
    | 'maxLength'
    | 'leftSection'
    | 'rightSection'
    | 'rightSectionWidth'
    | 'placeholder'
    | 'autoComplete'
    | 'type'
    | 'inputMode'
    | 'min'
    | 'spellCheck'
    | 'rightSectionPointerEvents'
  >;

/** A text input with its label above, then help and error below. */
export function TextField({ name, id = name, help, maxLength, ...props }: TextFieldProps) {
  const field = useField(name);
  return (
    <div>
      <TextInput {...props} {...field} id={id} description={help} />
      {maxLength && <Counter name={name} max={maxLength} />}
    </div>
  );
}

/** Shown near the limit. The field itself sets no limit: browsers would silently cut pasted text. */
export function Counter({ name, max }: { name: string; max: number }) {
  const { t } = useTranslation('studio');
  const { length } = useField(name).value;
  if (length < max * SHOWN_FROM) return null;
  const isOver = length > max;
  return (
    <p className={classes.counter} data-over={isOver || undefined} role={isOver ? 'status' : undefined}>
      {t(isOver ? 'counter.over' : 'counter.of', { length, max, over: length - max })}
    </p>
  );
}

const SHOWN_FROM = 0.8;

export function TextAreaField({
  name,
  help,
  rows = 5,
  maxLength,
  ...props
}: Common & { rows?: number; maxLength?: number }) {
  const field = useField(name);
  return (
    <div>
      <Textarea {...props} {...field} id={name} description={help} rows={rows} autosize minRows={rows} maxRows={18} />
      {maxLength && <Counter name={name} max={maxLength} />}
    </div>
  );
}

export type Choice = { value: string; label: string };
export type ChoiceGroup = { group: string; items: Choice[] };

/** A native select, grouped when it is long. It works on every device and without JavaScript. */
export function SelectField({
  name,
  help,
  choices,
  placeholder,
  ...props
}: Common & { choices: (Choice | ChoiceGroup)[]; placeholder?: string }) {
  const field = useField(name);
  const first = placeholder ? [{ value: '', label: placeholder }] : [];
  return <NativeSelect {...props} {...field} id={name} description={help} data={[...first, ...choices]} />;
}

/** A checkbox. If it is unchecked, it submits 'false', so that an update can also clear the value. */
export function CheckField({ name, label, help }: Common) {
  const { value, error, onChange } = useField(name);
  return (
    <div>
      <input type="hidden" name={name} value="false" />
      <Checkbox
        name={name}
        id={name}
        label={label}
        description={help}
        error={error}
        value="on"
        checked={value === 'on' || value === 'true'}
        onChange={(event) => onChange({ currentTarget: { value: event.currentTarget.checked ? 'on' : 'false' } })}
      />
    </div>
  );
}

/** The chosen option is never disabled, so that the form still submits it. */
type Option = { value: string; label: string; help?: ReactNode; picture?: ReactNode; disabled?: boolean };

/** `isRow`: three options stand beside each other, where the page is wide enough. */
type ChoiceProps = Common & { options: Option[]; isRow?: boolean };

/** Two or three radio options, each with an explanation. */
export function ChoiceField({ label, help, options, isRow, ...props }: ChoiceProps) {
  const { value, error, onChange, name } = useField(props.name);
  return (
    <fieldset className={classes.fieldset} aria-describedby={error ? `${name}-error` : undefined}>
      <legend className={classes.legend}>{label}</legend>
      {help && <p className={classes.help}>{help}</p>}
      <div className={classes.choices} data-row={isRow}>
        {options.map((option) => (
          <label key={option.value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              disabled={option.disabled && value !== option.value}
              onChange={onChange}
            />
            {option.picture}
            <span>
              <span className={classes.choiceLabel}>{option.label}</span>
              {option.help && <span className={classes.choiceHelp}>{option.help}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${name}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/**
 * Label, help and error around a control that is not a native input, such as an upload. The control can receive focus.
 */
export function CustomField({ name, label, help, children }: Common & { children: ReactNode }) {
  const { error } = useField(name);
  return (
    <fieldset id={name} data-field={name} tabIndex={-1} className={`${classes.fieldset} ${classes.custom}`}>
      <legend id={`${name}-label`} className={classes.legend}>
        {label}
      </legend>
      {help && <p className={classes.help}>{help}</p>}
      {children}
      {error && (
        <p id={`${name}-error`} className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
