import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Plugin, rolldown } from 'rolldown';
import packageJson from '../package.json' with { type: 'json' };
import { buildWeb, isWebBuilt } from './build-web.ts';

/**
 * `npm run package`: the program for other machines in dist/, as plain JavaScript in a few files, with everything that
 * it reads. Only what cannot be bundled stays a dependency: machine code, and files that are served as they lie.
 * `--out FOLDER` names another folder.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const dist = path.resolve(root, values.out);
const unbundled = ['@node-rs/argon2', 'swagger-ui-dist', ...Object.keys(packageJson.optionalDependencies)];

/**
 * `new URL('./x.ts', import.meta.url)` names a module that a worker or another process loads: it becomes a file of its
 * own. What else is named so is read at run time: it is laid beside, under the same name.
 */
const filesByUrl: Plugin = {
  name: 'files-by-url',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.url')) return null;
    return code.replaceAll(
      /new URL\(\s*('[^']+'|`[^`]+`),\s*import\.meta\.url,?\s*\)/g,
      (whole, quoted: string) => {
        const named = quoted.slice(1, -1);
        const target = path.resolve(path.dirname(id), named);
        if (named.endsWith('.ts')) {
          const fileName = `${path.basename(named, '.ts')}.mjs`;
          this.emitFile({ type: 'chunk', id: target, fileName });
          return `new URL('./${fileName}', import.meta.url)`;
        }
        const place = path.relative(root, target);
        const laid = places.find(([from]) => place === from || place.startsWith(`${from}/`));
        if (!laid) throw new Error(`${id} reads ${place}, which is not laid into dist/: ${whole}`);
        return `new URL(${quoted[0]}./${place.replace(laid[0], laid[1])}${quoted[0]}, import.meta.url)`;
      },
    );
  },
};

/** What is read at run time: where it lies here, and where it lies in dist/. */
const places = [
  ['spec', 'spec'],
  ['migrations', 'migrations'],
  ['web/dist', 'web'],
  ['src/generated', 'generated'],
  ['node_modules/.cache', '.cache'],
] as const;

rmSync(dist, { recursive: true, force: true });
if (!isWebBuilt()) await buildWeb();
const bundle = await rolldown({
  input: { main: path.join(root, 'src/main.ts') },
  platform: 'node',
  external: (id) => unbundled.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [filesByUrl],
  onLog: (level, log, handle) => {
    // Of libraries, which compile what they have written themselves.
    if (log.code === 'EVAL') return;
    handle(level, log);
  },
});
await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  sourcemap: false,
});
await bundle.close();

mkdirSync(dist, { recursive: true });
for (const [from, to] of places) {
  if (from.startsWith('node_modules')) continue;
  const isWanted = (file: string) => !file.endsWith('.ts');
  cpSync(path.join(root, from), path.join(dist, to), { recursive: true, filter: isWanted });
}
cpSync(path.join(root, 'LICENSE'), path.join(dist, 'LICENSE'));
const { name, version, description, license, type, engines, dependencies, optionalDependencies } =
  packageJson;
writeFileSync(
  path.join(dist, 'package.json'),
  JSON.stringify(
    {
      ...{ name, version, description, license, type, engines },
      bin: { pacekeeper: 'pacekeeper.mjs' },
      dependencies: Object.fromEntries(Object.entries(dependencies).filter(([of]) => unbundled.includes(of))),
      optionalDependencies,
    },
    null,
    2,
  ),
);
const program = path.join(dist, 'pacekeeper.mjs');
// An old Node.js can't even parse the program, so the version is checked in a file of its own.
const [major, minor] = engines.node.replace('>=', '').split('.');
writeFileSync(
  program,
  `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) await import('./main.mjs');
else {
  process.stderr.write('pacekeeper: Node.js ${major}.${minor} or later is required. This is ' + process.versions.node + '.\\n');
  process.exitCode = 1;
}
`,
  { mode: 0o755 },
);
console.log(
  `Built ${path.relative(process.cwd(), dist) || dist}. Run "npm install --omit=dev" in it, then "node pacekeeper.mjs serve".`,
);
