import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { useFormState } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';

/**
 * Plain HTML fields for public pages, which must not load Mantine (decision 0085). The browser keeps their values, so
 * they work before hydration. components/fields.tsx has the studio's fields; both use the same form context.
 */
type Common = { name: string; label: ReactNode; help?: ReactNode };

/** The attributes that connect an input to its label, help and error. */
function usePlainField({ name, help }: { name: string; help?: ReactNode }) {
  const id = useId();
  const { errors, values } = useFormState();
  const error = errors[name];
  const descriptions = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return {
    id,
    error,
    value: values[name],
    attributes: { id, name, 'aria-invalid': !!error, 'aria-describedby': descriptions || undefined } as const,
  };
}

function HelpAndError({ id, help, error, fix }: { id: string; help?: ReactNode; error?: string; fix?: ReactNode }) {
  return (
    <>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error} {fix}
        </p>
      )}
    </>
  );
}

type PlainTextProps = Common &
  InputHTMLAttributes<HTMLInputElement> & { /** A link next to the error. */ fix?: ReactNode };

export function PlainTextField({ name, label, help, fix, ...rest }: PlainTextProps) {
  const { id, error, value, attributes } = usePlainField({ name, help });
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input className="input" {...rest} {...attributes} defaultValue={value ?? rest.defaultValue} />
      <HelpAndError id={id} help={help} error={error} fix={fix} />
    </div>
  );
}

/** A password, with a switch that shows it. The style sheet hides the switch without JavaScript. */
export function PlainPasswordField({ name, label, help, ...rest }: Common & InputHTMLAttributes<HTMLInputElement>) {
  const { id, error, attributes } = usePlainField({ name, help });
  const { t } = useTranslation('auth');
  const [isShown, setShown] = useState(false);
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <div className="password">
        <input
          className="input"
          {...rest}
          {...attributes}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
        <button
          type="button"
          className="needs-js"
          aria-controls={id}
          aria-pressed={isShown}
          aria-label={t(isShown ? 'field.hidePassword' : 'field.showPassword')}
          onClick={() => setShown(!isShown)}
        >
          {t(isShown ? 'field.hide' : 'field.show')}
        </button>
      </div>
      <HelpAndError id={id} help={help} error={error} />
    </div>
  );
}

export function PlainTextArea({ name, label, help, ...rest }: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { id, error, value, attributes } = usePlainField({ name, help });
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <textarea className="input" {...rest} {...attributes} defaultValue={value ?? rest.defaultValue} />
      <HelpAndError id={id} help={help} error={error} />
    </div>
  );
}

type PlainSelectProps = Common & {
  options: { value: string; label: string }[];
  placeholder?: string;
} & SelectHTMLAttributes<HTMLSelectElement>;

export function PlainSelectField({ name, label, help, options, placeholder, ...rest }: PlainSelectProps) {
  const { id, error, value, attributes } = usePlainField({ name, help });
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select className="input" {...rest} {...attributes} defaultValue={value ?? rest.defaultValue ?? ''}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <HelpAndError id={id} help={help} error={error} />
    </div>
  );
}

/** `isTicked`: the initial state. */
export function PlainCheckField({ name, label, help, isTicked = false }: Common & { isTicked?: boolean }) {
  const { id, error, value, attributes } = usePlainField({ name, help });
  return (
    <div className="check">
      <input
        type="checkbox"
        value="on"
        {...attributes}
        defaultChecked={value === undefined ? isTicked : value === 'on'}
      />
      <label htmlFor={id}>{label}</label>
      <HelpAndError id={id} help={help} error={error} />
    </div>
  );
}
