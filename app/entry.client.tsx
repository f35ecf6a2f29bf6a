import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { RemixBrowser } from '~/app/lib/router';
import { embeddedTexts } from './lib/texts.client';
import { TextSourceProvider } from './lib/translation';

const texts = embeddedTexts();

/**
 * Resolves once the app can render without waiting: until Remix has read the page's data, RemixBrowser throws a promise.
 * If a field gets an event meanwhile, React hydrates at once, and a root that waits then ends with its error 345.
 */
async function readPageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (thrown) {
    if (thrown instanceof Promise) await thrown;
  }
}

void readPageData().then(() => {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <TextSourceProvider value={texts}>
          <RemixBrowser />
        </TextSourceProvider>
      </StrictMode>,
    );
  });
});
