import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env.PACEKEEPER_SERVER_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  build: {
    // The first with light-dark() in style sheets.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    // The template editor is a library of 600 kB, loaded only by the pages that edit templates.
    chunkSizeWarningLimit: 650,
    assetsInlineLimit: 0,
    // For THIRD_PARTY_LICENSES in the npm package.
    license: { fileName: '.vite/licenses.json' },
  },
  // `npm run dev:web`: the page from its sources, everything else from a running server.
  server: {
    proxy: { '/api': server, '/ack': server, '/docs': server, '/badge': server, '/calendar': server },
  },
});
