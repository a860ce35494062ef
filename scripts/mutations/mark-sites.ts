import type { MutationSite } from './find-sites.ts';

/** Prefix of the console messages that pages write in the browser, followed by the number of the site. */
export const markMessage = 'pacekeeper-mark ';

/** A line of the file of marks. It records that a site ran, or that a test file started or ended. */
type Mark =
  /** The process that ran the site comes first, followed by its ancestors. */
  | { type: 'site'; site: number; processes: readonly number[] }
  | { type: 'start'; file: string; process: number }
  | { type: 'end'; file: string; process: number };

/**
 * Returns source code in which each site appends a line to `marksFile` when it runs. The code works in the
 * processes and threads of a test run and in the programs that tests start. In a browser, which can't write
 * files, it writes a message to the console.
 *
 * A site can run a million times, so in a worker it writes only once per test file. Threads and programs can
 * outlive a test file and don't know which file is running, so there a site writes at most once every 20 ms.
 */
export function markSites(
  text: string,
  sites: readonly { id: number; site: MutationSite }[],
  marksFile: string,
): string {
  // At the same position, the start of an outer expression comes before the start of an inner one.
  const insertions = sites
    .toSorted((one, other) => other.site.end - one.site.end)
    .flatMap(({ id, site: { start, end } }) => [
      { at: start, inserted: `(pacekeeperMark(${id}), ` },
      { at: end, inserted: ')' },
    ])
    .toSorted((one, other) => one.at - other.at);
  let marked = '';
  let copied = 0;
  for (const { at, inserted } of insertions) {
    marked += text.slice(copied, at) + inserted;
    copied = at;
  }
  return `${marked}${text.slice(copied)}\n${functionThatMarks(marksFile)}`;
}

function functionThatMarks(marksFile: string): string {
  return `
function pacekeeperMark(site: number): void {
  const scope = globalThis as any;
  const { process } = scope;
  scope.pacekeeperNow ??= Date.now.bind(Date);
  const last = (scope.pacekeeperMarks ??= new Map<number, unknown>());
  const current = scope.__vitest_worker__?.filepath ?? Math.floor(scope.pacekeeperNow() / 20);
  if (last.get(site) === current) return;
  last.set(site, current);
  if (!process?.getBuiltinModule) return void console.debug('${markMessage}' + site);
  const { appendFileSync, readFileSync } = process.getBuiltinModule('node:fs');
  if (!scope.pacekeeperProcesses) {
    const processes = [process.pid, process.ppid];
    try {
      for (let id = process.ppid; id > 1; processes.push(id))
        id = Number(readFileSync('/proc/' + id + '/stat', 'utf8').split(') ').at(-1).split(' ')[1]);
    } catch {}
    scope.pacekeeperProcesses = processes;
  }
  try {
    appendFileSync(
      ${JSON.stringify(marksFile)},
      JSON.stringify({ type: 'site', site, processes: scope.pacekeeperProcesses }) + '\\n',
    );
  } catch {}
}
`;
}

/**
 * Returns code to append to the setup of every test file. It marks the start and the end of the file, and collects the
 * marks of pages.
 */
export function markingSetupCode(marksFile: string): string {
  return `
import { appendFileSync as appendMark } from 'node:fs';
import { chromium as markedChromium } from 'playwright-core';
import { afterAll as markAfterAll } from 'vitest';

const mark = (line: object) => appendMark(${JSON.stringify(marksFile)}, JSON.stringify(line) + '\\n');
const markedFile = (globalThis as any).__vitest_worker__.filepath;
mark({ type: 'start', file: markedFile, process: process.pid });
markAfterAll(() => mark({ type: 'end', file: markedFile, process: process.pid }));

if (!(markedChromium as any).isMarked) {
  const launch = markedChromium.launch.bind(markedChromium);
  (markedChromium as any).isMarked = true;
  markedChromium.launch = async (...args) => {
    const browser = await launch(...args);
    const newContext = browser.newContext.bind(browser);
    browser.newContext = async (...options) => {
      const context = await newContext(...options);
      context.on('console', (message) => {
        if (!message.text().startsWith('${markMessage}')) return;
        mark({ type: 'site', site: Number(message.text().slice(${markMessage.length})), processes: [process.pid] });
      });
      return context;
    };
    return browser;
  };
}
`;
}

/**
 * Returns the test files that ran each site, according to the lines of the marks file. A site that ran in a
 * worker, or in a program that a worker started, belongs to the file that the worker started last. If no
 * worker is an ancestor of the process, the site belongs to all files that were running.
 */
export async function filesOfSites(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Map<number, Set<string>>> {
  const lastFiles = new Map<number, string>();
  const running = new Map<number, string>();
  const files = new Map<number, Set<string>>();
  for await (const line of lines) {
    if (line === '') continue;
    const mark = JSON.parse(line) as Mark;
    if (mark.type === 'start') {
      running.set(mark.process, mark.file);
      lastFiles.set(mark.process, mark.file);
    } else if (mark.type === 'end') running.delete(mark.process);
    else {
      const worker = mark.processes.find((id) => lastFiles.has(id));
      const found = files.get(mark.site) ?? new Set();
      for (const file of worker === undefined ? running.values() : [lastFiles.get(worker)!]) found.add(file);
      files.set(mark.site, found);
    }
  }
  return files;
}
