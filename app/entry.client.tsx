import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { RemixBrowser } from '~/app/lib/router';
import { embeddedTexts } from './lib/texts.client';
import { TextSourceProvider } from './lib/translation';

const texts = embeddedTexts();

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
