/** Starts the console: who is signed in, the words of the chosen language, then the screen that the address names. */
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './design/index.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './app/queries.ts';
import { router } from './app/router.ts';
import { applyTheme } from './lib/preferences.ts';
import { openWords } from './lib/words.ts';

applyTheme();
await openWords();
// Drawn once, with the screen: React would leave an empty frame for 300 ms before it shows what came meanwhile.
await router.load();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Suspense>
          <RouterProvider router={router} />
        </Suspense>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
