import type { LinkedFact, LinkOf } from './link-facts.ts';
import { readWrittenImage } from './read-image.ts';
import { createPathExpander, resolvePath } from './repository-path.ts';
import { substituteVariables } from './substitute-variables.ts';

/** Maximum number of files of one pipeline. Real pipelines have fewer than a hundred. */
const maxFiles = 1_000;

/**
 * Maximum number of variables that one scan visits. A variable counts each time it is visited. Real scans
 * need a few thousand.
 */
const maxVisited = 2_000_000;

/** Maximum length of a chain of variables that refer to each other. */
const maxChain = 3;

type Variables = ReadonlyMap<string, string>;

/**
 * Replaces the variables in images of GitLab jobs with the global variables of their pipeline. A pipeline merges the
 * files that it includes, so the variables can be in a file that includes the job's file, or in another file that the
 * pipeline includes.
 */
export function linkGitlabVariables(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: LinkOf<'gitlab_pipeline'>]>,
): void {
  const open = facts.filter(
    ({ extractor, expression, artifact }) =>
      extractor === 'gitlab_ci' && expression !== undefined && artifact.kind === 'image',
  );
  if (open.length === 0) return;
  const pipeline = readPipeline(links, facts);
  const known = new Map<string, Variables>();
  for (const fact of open) {
    const variables = known.get(fact.file) ?? pipeline.variablesOf(fact.file);
    known.set(fact.file, variables);
    let text = fact.expression!;
    for (let depth = 0; depth < maxChain; depth++)
      ({ text } = substituteVariables(text, (name) => variables.get(name)));
    const image = text === fact.expression ? null : readWrittenImage(text);
    if (!image || image.reason === 'invalid') continue;
    Object.assign(fact, image, { isOriginCertain: image.isOriginGuessed !== true });
    fact.note = image.note ?? `value of ${fact.expression!.slice(0, 100)}`;
  }
}

function readPipeline(
  links: Iterable<readonly [path: string, link: LinkOf<'gitlab_pipeline'>]>,
  facts: readonly LinkedFact[],
) {
  const own = new Map<string, [name: string, value: string][]>();
  const written: [path: string, includes: readonly string[]][] = [];
  for (const [path, { variables, includes }] of links) {
    const known = own.get(path);
    if (known) known.push(...variables);
    else own.set(path, [...variables]);
    written.push([path, includes]);
  }
  const expand = createPathExpander([...new Set([...own.keys(), ...facts.map(({ file }) => file)])]);
  const included = new Map<string, string[]>();
  const including = new Map<string, string[]>();
  for (const [path, includes] of written)
    for (const each of includes) {
      const resolved = resolvePath('', each);
      for (const target of resolved === null ? [] : expand(resolved)) {
        push(included, path, target);
        push(including, target, path);
      }
    }
  let left = maxVisited;
  return {
    /**
     * Returns the variables of the pipelines that contain a file. A file overrides the variables of the files
     * that it includes.
     */
    variablesOf(file: string): Variables {
      const above = reachableFiles([file], including);
      const all = new Set([...above.toReversed(), ...reachableFiles(above, included)]);
      const variables = new Map<string, string>();
      const ambiguous = new Set<string>();
      for (const [at, path] of [...all].entries())
        for (const [name, value] of own.get(path) ?? []) {
          if (left-- <= 0) return new Map();
          const before = variables.get(name);
          // Two files that don't include each other can be merged in any order, so different values are
          // ambiguous.
          if (at >= above.length && before !== undefined && before !== value) ambiguous.add(name);
          if (before === undefined) variables.set(name, value);
        }
      const inAbove = new Set(above.flatMap((path) => (own.get(path) ?? []).map(([name]) => name)));
      for (const name of ambiguous) if (!inAbove.has(name)) variables.delete(name);
      return variables;
    },
  };
}

/** Returns the given files, and then the files that can be reached from them, nearest first. */
function reachableFiles(start: readonly string[], edges: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set(start);
  for (const path of found) {
    if (found.size >= maxFiles) break;
    for (const next of edges.get(path) ?? []) found.add(next);
  }
  return [...found];
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
