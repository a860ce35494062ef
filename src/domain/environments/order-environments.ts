/**
 * Sorts environments in the configured order. Environments that aren't configured follow in the usual order of the
 * stages that their names indicate, then by name.
 */
export function orderEnvironments(names: Iterable<string>, order: readonly string[]): string[] {
  const places = new Map(order.map((name, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? order.length;
  return [...new Set(names)].toSorted(
    (a, b) => placeOf(a) - placeOf(b) || stageIndex(a) - stageIndex(b) || (a < b ? -1 : 1),
  );
}

/**
 * Words for the stages on the way to production, in order. The empty entry is the position of names without any of
 * these words.
 */
const stages: readonly (readonly string[])[] = [
  ['local', 'dev', 'develop', 'development'],
  ['ci', 'test', 'testing', 'tst', 'qa'],
  ['int', 'integ', 'integration'],
  ['uat', 'acc', 'acceptance'],
  ['stage', 'staging', 'stg'],
  [],
  ['preprod', 'preproduction'],
  ['canary'],
  ['prod', 'production', 'prd', 'live'],
];
const places = new Map(stages.flatMap((words, place) => words.map((word) => [word, place] as const)));
const otherPlace = stages.findIndex((words) => words.length === 0);

/**
 * Returns the production environments: those whose names indicate production. If no name does, returns the
 * last environment in the configured order, or none without a configured order.
 */
export function productionEnvironments(names: Iterable<string>, order: readonly string[]): string[] {
  const ordered = orderEnvironments(names, order);
  const named = ordered.filter((name) => stageIndex(name) === stages.length - 1);
  return named.length > 0 ? named : ordered.filter((name) => order.includes(name)).slice(-1);
}

/** Returns the position of an environment's stage in `stages`. For example, `eu-prod-2` has the position of `prod`. */
function stageIndex(name: string): number {
  const words = name
    .toLowerCase()
    .replace(/(?<![a-z])(pre|non)[^a-z0-9]+(?=pro?d)/gu, '$1')
    .match(/[a-z]+/gu);
  const place = words?.map((word) => places.get(word)).find((each) => each !== undefined);
  return place ?? otherPlace;
}
