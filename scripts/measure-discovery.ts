import { type CaseResult, describeItem, measureCase, readCases } from '../tests/helpers/discovery-cases.ts';

/**
 * Runs discovery on a folder of cases with the layout of `discovery-cases` in the test data, and prints the recall of
 * each kind of case, the missed items, and the wrong items. Lines of free text in `expected` are printed with the
 * items, for manual review.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: npm run measure:discovery -- DIR\n');
  process.exitCode = 2;
} else await measure(folder);

async function measure(directory: string): Promise<void> {
  const byKind = new Map<string, { found: number; expected: number; wrong: number; unread: number }>();
  for (const each of readCases(directory)) {
    const result = await measureCase(directory, each);
    const counts = byKind.get(each.kind) ?? { found: 0, expected: 0, wrong: 0, unread: 0 };
    counts.found += result.found.length;
    counts.expected += result.found.length + result.missed.length;
    counts.wrong += result.wrong.length;
    counts.unread += result.unread.length;
    byKind.set(each.kind, counts);
    print(each.id, result);
  }
  process.stdout.write('\nRecall by kind (found of expected, wrong, to be compared by a person)\n');
  const total = { found: 0, expected: 0, wrong: 0, unread: 0 };
  for (const [kind, counts] of byKind) {
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += counts[key];
    printCounts(kind, counts);
  }
  printCounts('all', total);
}

function printCounts(
  kind: string,
  { found, expected, wrong, unread }: { found: number; expected: number; wrong: number; unread: number },
): void {
  const recall = expected === 0 ? '-' : `${Math.round((100 * found) / expected)} %`;
  process.stdout.write(
    `  ${kind}: ${recall} (${found} of ${expected}), ${wrong} wrong, ${unread} in words\n`,
  );
}

function print(id: string, { found, missed, wrong, unread, items, problems, steps }: CaseResult): void {
  process.stdout.write(`${id}: ${found.length} found, ${missed.length} missed, ${wrong.length} wrong\n`);
  for (const line of missed) process.stdout.write(`  missed: ${line}\n`);
  for (const line of wrong) process.stdout.write(`  wrong: ${line}\n`);
  if (unread.length === 0 && missed.length === 0) return;
  for (const line of unread) process.stdout.write(`  expected in free text: ${line}\n`);
  for (const line of steps) process.stdout.write(`  ${line}\n`);
  if (steps.length === 0) for (const item of items) process.stdout.write(`  item: ${describeItem(item)}\n`);
  for (const line of problems) process.stdout.write(`  problem: ${line}\n`);
}
