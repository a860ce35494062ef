/**
 * `npm run bench [-- NAME…]` runs the benchmarks one after another, either all of them or those whose file
 * name starts with one of the names. It stores the latest output of each in benchmarks/results.md, with the
 * machine, the commit, and the load.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { allocatorSettings } from './allocator-settings.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const resultsFile = `${folder}results.md`;
const limits = readFileSync(`${folder}limits.md`, 'utf8');
const about = `# Latest measurements

Written by \`npm run bench\`; don't edit it. Each benchmark runs alongside its reference, on the same machine and in the
same minute: read the ratios, not the times. The goals are at the top of each file in \`benchmarks/\`. The first section
comes from \`limits.md\`.
`;

const wanted = process.argv.slice(2);
const files = readdirSync(folder).filter(
  (file) =>
    file.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((name) => file.startsWith(name))),
);
if (files.length === 0) {
  console.error(`No benchmark begins with ${wanted.join(', ')}.`);
  process.exitCode = 2;
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: folder,
  encoding: 'utf8',
}).trim();
for (const file of files) {
  const name = file.replace('.bench.ts', '');
  console.log(`\n## ${name}\n`);
  const [busyBefore] = loadavg();
  const { status, printed } = await run(file);
  if (status !== 0) process.exitCode = 1;
  const machine = `${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const head = `${machine}; commit ${commit}; load before ${busyBefore?.toFixed(1)}${status === 0 ? '' : `; it ended with ${status}`}`;
  keep(name, `${head}\n\n\`\`\`text\n${printed.trim()}\n\`\`\``);
}

async function run(file: string): Promise<{ status: number | null; printed: string }> {
  const child = spawn(process.execPath, ['--expose-gc', `${folder}${file}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...allocatorSettings },
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    printed += text;
  });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  // Remove log lines, because they aren't part of the result.
  const lines = stripVTControlCharacters(printed).split('\n');
  return { status, printed: lines.filter((line) => !line.startsWith('{"level"')).join('\n') };
}

/** Replaces the section of one benchmark and keeps the others. */
function keep(name: string, text: string): void {
  const known = existsSync(resultsFile) ? readFileSync(resultsFile, 'utf8').split(/^## /m).slice(1) : [];
  const others = known
    .filter((section) => /^[a-z-]+\n/.test(section) && !section.startsWith(`${name}\n`))
    .map((section) => section.trim());
  const sections = [...others, `${name}\n\n${text}`].sort();
  writeFileSync(
    resultsFile,
    `${[about.trim(), limits.trim(), ...sections.map((section) => `## ${section}`)].join('\n\n')}\n`,
  );
}
