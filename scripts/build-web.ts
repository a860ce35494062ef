import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * `npm run build:web` builds the web UI and the documentation into web/dist. With `--if-needed`, it builds
 * only if the output is older than its sources.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'web/dist');
const sources = [
  'web/{src,public}/**/*',
  'web/index.html',
  'docs/**/*.md',
  'docs/screenshots/*.png',
  'scripts/build-{web,docs}.ts',
  'web/vite.config.ts',
  'src/{client,domain,generated}/**/*.ts',
  'package-lock.json',
];

export async function buildWeb(): Promise<void> {
  // Import here, so that starting a server with a built web UI doesn't load a bundler.
  const { build } = await import('vite');
  // Test runners set another value of `NODE_ENV`, which would bundle the slow development build of React.
  const environment = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  await build({ configFile: path.join(root, 'web/vite.config.ts'), logLevel: 'warn' }).finally(() => {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
  });
  const { buildDocs } = await import('./build-docs.ts');
  buildDocs(path.join(dist, 'docs'));
  for (const file of globSync('**/*.{js,css,svg}', { cwd: dist })) {
    const content = readFileSync(path.join(dist, file));
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(path.join(dist, `${file}.br`), brotliCompressSync(content, { params: quality }));
  }
}

export function isWebBuilt(): boolean {
  const built = path.join(dist, 'index.html');
  if (!existsSync(built)) return false;
  const builtAt = statSync(built).mtimeMs;
  return sources
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .every((file) => statSync(path.join(root, file)).mtimeMs <= builtAt);
}

if (import.meta.main && !(process.argv.includes('--if-needed') && isWebBuilt())) {
  console.log('Building the web page …');
  await buildWeb();
}
