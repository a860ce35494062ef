import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Plugin, rolldown } from 'rolldown';
import packageJson from '../package.json' with { type: 'json' };
import { buildWeb, isWebBuilt } from './build-web.ts';
import {
  includedPackages,
  type LicensedPackage,
  licensesText,
  packageFolder,
  readLicense,
} from './third-party-licenses.ts';

/**
 * `npm run package` builds the npm package in dist/, as plain JavaScript in a few files, with all files that
 * it reads at run time. Only packages with native code remain dependencies. `--out FOLDER` sets another
 * directory.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const dist = path.resolve(root, values.out);
const unbundled = ['@node-rs/argon2', ...Object.keys(packageJson.optionalDependencies)];
const swaggerFolder = path.join(root, 'node_modules/swagger-ui-dist');

/**
 * Replaces the URLs of files in the code. `new URL('./x.ts', import.meta.url)` refers to a module that a
 * worker or another process loads, so the module becomes a separate chunk. Any other path refers to a file
 * that the program reads at run time, so the path is replaced with the file's location in dist/.
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

/**
 * Files and directories that the program reads at run time, with their locations in the repository and in
 * dist/.
 */
const places = [
  ['spec', 'spec'],
  ['migrations', 'migrations'],
  ['web/dist', 'web'],
  ['src/generated', 'generated'],
  ['node_modules/swagger-ui-dist', 'swagger-ui'],
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
    // Ignore this warning, because libraries use `eval` only to compile code that they generate.
    if (log.code === 'EVAL') return;
    handle(level, log);
  },
});
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  sourcemap: false,
});
await bundle.close();

/** Filters for directories that are only partly included. */
const isWanted: Readonly<Record<string, (file: string) => boolean>> = {
  generated: (file) => !file.endsWith('.ts'),
  'swagger-ui': (file) =>
    file === swaggerFolder ||
    /\/(LICENSE|NOTICE|swagger-ui\.css|swagger-ui-(bundle|standalone-preset)\.js(\.LICENSE\.txt)?|favicon-32x32\.png)$/.test(
      file,
    ),
  web: (file) => !file.endsWith('/.vite'),
  '.cache': () => false,
};
for (const [from, to] of places) {
  cpSync(path.join(root, from), path.join(dist, to), {
    recursive: true,
    filter: isWanted[to] ?? (() => true),
  });
}
for (const file of ['LICENSE', 'README.md']) cpSync(path.join(root, file), path.join(dist, file));

const moduleIds = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
const bundledFolders = moduleIds.map(packageFolder).filter((folder) => folder !== null);
const includedFolders = moduleIds
  .filter((id) => path.isAbsolute(id) && packageFolder(id) !== null)
  .flatMap((id) => includedPackages(readFileSync(id, 'utf8')))
  .map((each) => path.join(root, 'node_modules', each));
const ofServer = [...new Set([...bundledFolders, ...includedFolders, swaggerFolder])].map(readLicense);
const ofPage = (
  JSON.parse(readFileSync(path.join(root, 'web/dist/.vite/licenses.json'), 'utf8')) as LicensedPackage[]
).map((each) => (each.text ? each : readLicense(path.join(root, 'node_modules', each.name))));
writeFileSync(path.join(dist, 'THIRD_PARTY_LICENSES'), licensesText([...ofServer, ...ofPage]));

const { name, version, description, license, type, engines, dependencies, optionalDependencies } =
  packageJson;
writeFileSync(
  path.join(dist, 'package.json'),
  `${JSON.stringify(
    {
      name,
      version,
      description,
      license,
      type,
      engines,
      bin: { pacekeeper: 'pacekeeper.mjs' },
      // Other files in this directory, such as compiled code, are excluded.
      files: ['*.mjs', ...places.map(([, to]) => to).filter((to) => to !== '.cache'), 'THIRD_PARTY_LICENSES'],
      dependencies: Object.fromEntries(Object.entries(dependencies).filter(([of]) => unbundled.includes(of))),
      optionalDependencies,
    },
    null,
    2,
  )}\n`,
);
const program = path.join(dist, 'pacekeeper.mjs');
// An old Node.js can't parse the program, so a separate file, which every version can parse, checks the version.
const [major, minor] = engines.node.replace('>=', '').split('.');
writeFileSync(
  program,
  `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) import('./main.mjs');
else {
  process.stderr.write('pacekeeper: Node.js ${major}.${minor} or later is required. This is ' + process.versions.node + '.\\n');
  process.exitCode = 1;
}
`,
  { mode: 0o755 },
);
console.log(
  `Built ${path.relative(process.cwd(), dist) || dist}. Pack it with "npm pack ./dist", or run "npm install --omit=dev" in it, then "node pacekeeper.mjs serve".`,
);
