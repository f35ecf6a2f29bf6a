import { useEffect, useState } from 'react';

/** Known after hydration only: the server can't tell. */
export function useSearchKeys(): string {
  const [keys, setKeys] = useState('Ctrl K');
  useEffect(() => {
    if (/Mac|iPhone|iPad/.test(navigator.platform)) setKeys('⌘ K');
  }, []);
  return keys;
}
