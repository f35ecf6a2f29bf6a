import { useEffect, useState } from 'react';

/** The keys are known only after hydration, because the server can't tell the platform. */
export function useSearchKeys(): string {
  const [keys, setKeys] = useState('Ctrl K');
  useEffect(() => {
    if (/Mac|iPhone|iPad/.test(navigator.platform)) setKeys('⌘ K');
  }, []);
  return keys;
}
