import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env.PACEKEEPER_SERVER_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Scripts and styles refer to each other relatively, so that the page works under any base path.
  base: './',
  plugins: [react()],
  build: {
    // These are the first browser versions that support `light-dark()` in CSS.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    // The template editor is a 600 kB library, and only the pages that edit templates load it.
    chunkSizeWarningLimit: 650,
    assetsInlineLimit: 0,
    // Required for THIRD_PARTY_LICENSES in the npm package.
    license: { fileName: '.vite/licenses.json' },
  },
  // With `npm run dev:web`, the UI is built from its sources, and all other paths are proxied to a running
  // server.
  server: {
    proxy: { '/api': server, '/ack': server, '/docs': server, '/badge': server, '/calendar': server },
  },
});
