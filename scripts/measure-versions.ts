import { type MeasuredCase, measureVersionCases } from './version-cases.ts';

/**
 * `npm run measure:versions -- FILE`: checks Pacekeeper's results for the cases in a file. For each case,
 * compares the latest release and the state with those that an engineer expects. Prints each wrong case, and
 * the number of correct cases by kind. Wrong cases don't affect the exit code, because a file can contain
 * cases that no rule can decide.
 */
const file = process.argv[2];
if (file === undefined) {
  console.error('Name the file with the cases: npm run measure:versions -- cases.json');
  process.exit(2);
}
const measured = measureVersionCases(file);
for (const { id, isRight, wasRight, detail } of measured) {
  if (!isRight) console.log(`${wasRight ? 'newly wrong' : 'wrong'}  ${id}: ${detail}`);
}
for (const [kind, cases] of Map.groupBy(measured, ({ kind }) => kind))
  console.log(`${count(cases)}  ${kind}`);
console.log(`${count(measured)}  all`);

function count(cases: readonly MeasuredCase[]): string {
  return `${cases.filter(({ isRight }) => isRight).length} of ${cases.length}`;
}
