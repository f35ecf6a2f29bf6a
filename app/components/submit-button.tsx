import type { ReactNode } from 'react';
import { useNavigation } from '~/app/lib/router';
import { Button } from './button';

/** `destroys`: the action can't be undone or deletes something. `quiet`: another action is the main one of its page. */
type Props = { children: ReactNode; intent?: string; disabled?: boolean; destroys?: boolean; quiet?: boolean };

/**
 * Submits its form and shows a spinner until the server has answered. `intent` names one of several buttons of a page.
 */
export function SubmitButton({ children, intent, disabled, destroys, quiet }: Props) {
  const { state, formMethod, formData } = useNavigation();
  const isSubmitting = state !== 'idle' && formMethod === 'POST' && (!intent || formData?.get('intent') === intent);
  return (
    <Button
      type="submit"
      loading={isSubmitting}
      disabled={disabled}
      {...(quiet && { variant: 'default' })}
      {...(destroys && { color: 'red', variant: 'outline' })}
      name={intent ? 'intent' : undefined}
      value={intent}
    >
      {children}
    </Button>
  );
}
