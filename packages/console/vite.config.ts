import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2023',
    // Inlined files would need `data:` in the policy for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // For build/budget.ts, which removes it.
    manifest: true,
  },
});
