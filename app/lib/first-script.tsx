import { createContext, useContext } from 'react';
import { useNonce } from './nonce';
import { Scripts } from './router';

/** Server only: the text of `entry.first.ts`. */
const FirstScriptContext = createContext('');

export const FirstScriptProvider = FirstScriptContext.Provider;

export function FirstScript() {
  const text = useContext(FirstScriptContext);
  // our own text; the browser has run it already
  return <script nonce={useNonce()} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}

/** Remix's scripts. The server puts most pages' aside until they are needed; React leaves this element alone. */
export function PageScripts() {
  const nonce = useNonce();
  // the build leaves the rest, and Remix's component, out of the browser's code
  if (!import.meta.env.SSR)
    return <div id="scripts" hidden suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />;
  return (
    <div id="scripts" hidden>
      <Scripts nonce={nonce} />
    </div>
  );
}
