import { type ReactNode, useRef } from 'react';
import { useFormState } from './form-context';

type Props = { fields: readonly string[]; className?: string; children: ReactNode };

/**
 * Fields that are closed at first, but open if the server has refused one of them, so that its error is visible without
 * JavaScript. They stay open when the error goes, because the user is typing in them.
 */
export function FieldDetails({ fields, className, children }: Props) {
  const { errors } = useFormState();
  const hadError = useRef(false);
  hadError.current ||= fields.some((name) => errors[name] !== undefined);
  return (
    <details className={className} open={hadError.current || undefined}>
      {children}
    </details>
  );
}
