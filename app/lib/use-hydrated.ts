import { useEffect, useState } from 'react';

/** Whether JavaScript controls the page. False on the server and in the first render, which must equal the server's. */
export function useHydrated(): boolean {
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => void setIsHydrated(true), []);
  return isHydrated;
}
