/** `npm run bench [-- NAME…]`: runs the benchmarks one after another, all of them or those whose file begins with a name. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder).filter(
  (file) =>
    file.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((name) => file.startsWith(name))),
);
if (files.length === 0) {
  console.error(`No benchmark begins with ${wanted.join(', ')}.`);
  process.exitCode = 2;
}
for (const file of files) {
  console.log(`\n## ${file.replace('.bench.ts', '')}\n`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', `${folder}${file}`], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
