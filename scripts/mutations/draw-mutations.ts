import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findSites, type MutationKind, type MutationSite, mutationKinds } from './find-sites.ts';

/** Areas of the program, each with the pattern of its files. Mutations are spread evenly over them. */
const areas = {
  domain: 'src/domain/**/*.ts',
  modules: 'src/modules/**/*.ts',
  platform: 'src/platform/**/*.ts',
  agent: 'src/agent/**/*.ts',
  cli: 'src/cli/**/*.ts',
  web: 'web/src/**/*.{ts,tsx}',
} as const;
export type MutationArea = keyof typeof areas;
export const mutationAreas = Object.keys(areas) as MutationArea[];

/** A drawn mutation. It's located by the text of its line, so changes in the lines above it don't matter. */
export interface Mutation {
  area: MutationArea;
  /** Path relative to the root of the repository. */
  file: string;
  line: number;
  lineText: string;
  kind: MutationKind;
  before: string;
  after: string;
}

/**
 * Draws mutations with a seeded generator: the same number from each area, and no two from one file. Each
 * kind of mutation is equally likely, even if the code contains far more sites of one kind. Returns fewer
 * mutations than requested if the files don't contain enough sites.
 *
 * @param options.under Path that all files must start with, such as `src/domain/rules`. Default: no
 * restriction.
 */
export function drawMutations(
  root: string,
  { count, seed, under = '' }: { count: number; seed: number; under?: string },
): Mutation[] {
  const random = createRandom(seed);
  const pools = mutationAreas.map((area) => ({ area, sites: sitesOfArea(root, area, under) }));
  const drawn: Mutation[] = [];
  const used = new Set<string>();
  for (let round = 0; drawn.length < count; round++) {
    let isExhausted = true;
    for (const { area, sites } of pools) {
      if (drawn.length >= count) break;
      const mutation = drawOne(random, area, sites, used);
      if (!mutation) continue;
      isExhausted = false;
      used.add(mutation.file);
      drawn.push(mutation);
    }
    if (isExhausted) break;
  }
  return drawn;
}

type SiteInFile = MutationSite & { file: string };

function drawOne(
  random: () => number,
  area: MutationArea,
  sites: ReadonlyMap<MutationKind, readonly SiteInFile[]>,
  used: ReadonlySet<string>,
): Mutation | undefined {
  for (const kind of shuffled(random, mutationKinds)) {
    const free = (sites.get(kind) ?? []).filter(({ file }) => !used.has(file));
    if (free.length === 0) continue;
    const { file, line, lineText, before, after } = free[Math.floor(random() * free.length)]!;
    return { area, file, line, lineText, kind, before, after };
  }
  return undefined;
}

function sitesOfArea(root: string, area: MutationArea, under: string): Map<MutationKind, SiteInFile[]> {
  const files = globSync(areas[area], { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.startsWith(under) && !/\.test\.tsx?$|\.d\.ts$|-fixture\.ts$/.test(file))
    .toSorted();
  const sites = files.flatMap((file) =>
    findSites(file, readFileSync(path.join(root, file), 'utf8')).map((site) => ({ ...site, file })),
  );
  return Map.groupBy(sites, ({ kind }) => kind);
}

/**
 * Returns the site of a mutation in the current text of its file, or `undefined` if the code has changed. If
 * several sites have the same texts, returns the one closest to the recorded line.
 */
export function findMutation(text: string, mutation: Mutation): MutationSite | undefined {
  const { kind, lineText, before, after, line } = mutation;
  return findSites(mutation.file, text)
    .filter((site) => site.kind === kind && site.before === before && site.after === after)
    .filter((site) => site.lineText === lineText)
    .toSorted((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))[0];
}

/** True if two mutations change the same code in the same way, even if its line number differs. */
export function isSameMutation(one: Mutation, other: Mutation): boolean {
  return (['file', 'kind', 'lineText', 'before', 'after'] as const).every((key) => one[key] === other[key]);
}

/** Returns a generator of numbers from 0 up to 1, excluding 1 (Mulberry32). Equal seeds return equal numbers. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Item>(random: () => number, items: readonly Item[]): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other]!, result[last]!];
  }
  return result;
}
