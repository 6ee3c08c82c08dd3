import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { thirdPartyLicences } from './build/licences.ts';

export default defineConfig({
  plugins: [react(), thirdPartyLicences()],
  css: {
    modules: {
      localsConvention: 'camelCaseOnly',
      // `tasks_time-bar`: who looks at a page sees where its rules are.
      generateScopedName: (name, file) => `${path.basename(file).replace(/\.module\.css.*$/, '')}_${name}`,
    },
  },
  build: {
    target: 'es2023',
    // Inlined files would need `data:` in the policy for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What a page may load is in build/budget.ts.
    chunkSizeWarningLimit: 1000,
    // For build/budget.ts, which removes it.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Otherwise each icon that two screens share would be a request of its own.
            { name: 'icons', test: /node_modules\/lucide-react\// },
            { name: 'base', test: /packages\/console\/src\/(?:app|lib|ui)\/(?!chart)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
