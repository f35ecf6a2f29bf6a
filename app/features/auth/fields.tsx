import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import { useFormState } from './auth-form';

type Common = { name: string; label: ReactNode; help?: ReactNode };

/** The ids that tie a field to its help and its errors. */
function useField({ name, help }: { name: string; help?: ReactNode }) {
  const id = useId();
  const { errors, values } = useFormState();
  const wrong = errors[name] ?? [];
  const about = [help ? `${id}-help` : '', wrong.length ? `${id}-error` : ''].filter(Boolean).join(' ');
  return {
    id,
    wrong,
    value: values[name],
    tied: { id, name, 'aria-invalid': wrong.length > 0, 'aria-describedby': about || undefined } as const,
  };
}

function Below({ id, help, wrong }: { id: string; help?: ReactNode; wrong: string[] }) {
  return (
    <>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {wrong.length > 0 && (
        <p className="error" id={`${id}-error`}>
          {wrong.join(' ')}
        </p>
      )}
    </>
  );
}

export function TextField({ name, label, help, ...rest }: Common & InputHTMLAttributes<HTMLInputElement>) {
  const { id, wrong, value, tied } = useField({ name, help });
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input className="input" {...rest} {...tied} defaultValue={value ?? rest.defaultValue} />
      <Below id={id} help={help} wrong={wrong} />
    </div>
  );
}

type Option = { value: string; label: string };

export function SelectField({
  name,
  label,
  help,
  options,
  none,
  ...rest
}: Common & { options: Option[]; none: string } & SelectHTMLAttributes<HTMLSelectElement>) {
  const { id, wrong, value, tied } = useField({ name, help });
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select className="input" {...rest} {...tied} defaultValue={value ?? ''}>
        <option value="">{none}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Below id={id} help={help} wrong={wrong} />
    </div>
  );
}

export function CheckField({ name, label }: Common) {
  const { id, wrong, value, tied } = useField({ name });
  return (
    <div className="check">
      <input type="checkbox" value="on" {...tied} defaultChecked={value === 'on'} />
      <label htmlFor={id}>{label}</label>
      <Below id={id} wrong={wrong} />
    </div>
  );
}
