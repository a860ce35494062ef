/**
 * Measures the comparison of two parsed versions. The reference is npm's `semver.compare` on parsed objects
 * in the same run. Goal: at least half the rate of `semver.compare`. Run with `node
 * benchmarks/compare-versions.bench.ts`.
 */
import semver from 'semver';
import type { Version, VersionSchemeId } from '../src/domain/versions/version-scheme.ts';
import { versionScheme, versionSchemeIds } from '../src/domain/versions/versions.ts';

const versionCount = 20_000;
const comparisonsInRun = 2_000_000;
const runs = 11;

const texts = releaseHistory();
const references = texts.map((text) => new semver.SemVer(text));
const measured = [
  { name: 'npm semver', run: () => comparePairs(references, (a, b) => semver.compare(a, b)) },
  ...versionSchemeIds.map((id) => {
    const { compare } = versionScheme(id);
    const versions = parseAll(id);
    return { name: `scheme ${id}`, run: () => comparePairs(versions, (a, b) => compare(a, b)) };
  }),
];

// Alternate between the implementations, so that other load on the machine affects all of them equally. The
// first round is a warm-up.
const rates = new Map(measured.map(({ name }) => [name, [] as number[]]));
for (let round = 0; round <= runs; round += 1) {
  for (const { name, run } of measured) {
    const rate = run();
    if (round > 0) rates.get(name)?.push(rate);
  }
}

const reference = median(rates.get('npm semver') ?? []);
console.log(`Comparing parsed versions: ${versionCount} versions, median of ${runs} runs\n`);
console.log('| | million comparisons/s | ratio to npm semver |');
console.log('|---|---|---|');
for (const [name, all] of rates) {
  console.log(`| ${name} | ${(median(all) / 1e6).toFixed(1)} | ${(median(all) / reference).toFixed(2)} |`);
}
console.log(`\nParsing, thousand versions/s: ${parsingRates().join(', ')}`);

/**
 * Creates versions that resemble a real history: neighbors share their first numbers, and one in five is a
 * pre-release.
 */
function releaseHistory(): string[] {
  const made: string[] = [];
  for (let index = 0; made.length < versionCount; index += 1) {
    const base = `${index % 2 === 0 ? 'v' : ''}${Math.floor(index / 2000)}.${Math.floor(index / 40) % 50}.${index % 40}`;
    made.push(index % 5 === 0 ? `${base}-rc.${index % 7}` : base);
  }
  return made;
}

function parseAll(id: VersionSchemeId): Version[] {
  return texts.map((text) => versionScheme(id).parse(text)).filter((version) => version !== null);
}

/**
 * Returns the number of comparisons per second. Half of the pairs are neighbors in the history, half are
 * arbitrary.
 */
function comparePairs<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): number {
  const first = items[0];
  if (first === undefined) return 0;
  let higher = 0;
  const start = performance.now();
  for (let count = 0; count < comparisonsInRun; count += 1) {
    const a = items[count % items.length] ?? first;
    const b = items[(count % 2 === 0 ? count + 1 : count * 7919) % items.length] ?? first;
    if (compare(a, b) > 0) higher += 1;
  }
  const seconds = (performance.now() - start) / 1000;
  // Use the result, because the compiler could otherwise eliminate the loop.
  if (higher === 0) throw new Error('nothing was compared');
  return comparisonsInRun / seconds;
}

function parsingRates(): string[] {
  const rate = (parse: (text: string) => unknown) => {
    const all = Array.from({ length: 5 }, () => {
      const start = performance.now();
      for (const text of texts) parse(text);
      return texts.length / (performance.now() - start);
    });
    return median(all).toFixed(0);
  };
  return [
    `npm semver ${rate((text) => semver.parse(text))}`,
    ...versionSchemeIds.map((id) => `scheme ${id} ${rate(versionScheme(id).parse)}`),
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
