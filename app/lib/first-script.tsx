import { createContext, useContext } from 'react';
import { useNonce } from './nonce';
import { Scripts } from './router';

/** Server only: the text of `entry.first.ts`. */
const FirstScriptContext = createContext('');

export const FirstScriptProvider = FirstScriptContext.Provider;

export function FirstScript() {
  const text = useContext(FirstScriptContext);
  // our own script, so it is safe; the browser has already run it
  return <script nonce={useNonce()} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}

/**
 * Remix's scripts. On most pages the server puts them aside until they are needed; React does not touch this element.
 */
export function PageScripts() {
  const nonce = useNonce();
  // the build removes the code below, and Remix's component, from the browser's bundle
  if (!import.meta.env.SSR)
    return <div id="scripts" hidden suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />;
  return (
    <div id="scripts" hidden>
      <Scripts nonce={nonce} />
    </div>
  );
}
