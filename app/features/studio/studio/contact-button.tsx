import type { MouseEvent, ReactNode } from 'react';
import { Button } from '~/app/components/button';
import { hasConsented } from '~/app/lib/consent';
import { usePaths } from '~/app/lib/paths';
import { useRootData } from '~/app/lib/root-data';
import { Link, useNavigate } from '~/app/lib/router';

/** Opens the support chat if the operator has one and the user has agreed to it; otherwise opens the contact form. */
export function ContactButton({ children, onOpen }: { children: ReactNode; onOpen?: () => void }) {
  const paths = usePaths();
  const navigate = useNavigate();
  const chat = useRootData()?.services?.chat;
  const open = (event: MouseEvent) => {
    onOpen?.();
    if (!chat || !hasConsented()) return;
    event.preventDefault();
    const leave = () => navigate(paths.contact);
    import('../../site/tracking/chat').then(({ openChat }) => openChat(chat, leave), leave);
  };
  return (
    <Button component={Link} to={paths.contact} onClick={open}>
      {children}
    </Button>
  );
}
