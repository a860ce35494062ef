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

interface Definition {
  path: string;
  value: string;
}

function readPipeline(
  links: Iterable<readonly [path: string, link: LinkOf<'gitlab_pipeline'>]>,
  facts: readonly LinkedFact[],
) {
  const own = new Map<string, [name: string, value: string][]>();
  const written: [path: string, link: LinkOf<'gitlab_pipeline'>][] = [];
  for (const [path, link] of links) {
    const known = own.get(path);
    if (known) known.push(...link.variables);
    else own.set(path, [...link.variables]);
    written.push([path, link]);
  }
  const expand = createPathExpander([...new Set([...own.keys(), ...facts.map(({ file }) => file)])]);
  const targetsOf = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const resolved = resolvePath('', path);
      return resolved === null ? [] : expand(resolved);
    });
  const included = new Map<string, string[]>();
  const parents = new Map<string, string[]>();
  for (const [path, { includes, triggers }] of written) {
    for (const target of targetsOf(includes)) {
      push(included, path, target);
      push(parents, target, path);
    }
    // A child pipeline gets the variables of its parent, but isn't merged with the parent's other files.
    for (const target of targetsOf(triggers)) push(parents, target, path);
  }
  let left = maxVisited;
  const ancestors = new Map<string, ReadonlySet<string>>();
  const isAbove = (path: string, other: string) => {
    const known = ancestors.get(other) ?? new Set(reachableFiles([other], parents));
    if (!ancestors.has(other)) left -= known.size;
    ancestors.set(other, known);
    return known.has(path);
  };
  const definitionsIn = (paths: readonly string[]) => {
    const definitions = new Map<string, Definition[]>();
    for (const path of paths)
      for (const [name, value] of own.get(path) ?? []) {
        left--;
        push(definitions, name, { path, value });
      }
    return definitions;
  };
  return {
    /**
     * Returns the variables of the pipelines that contain a file. A file overrides the variables of the files
     * that it includes. A variable with different values in files that can be merged in any order, or that belong to
     * different pipelines, is omitted.
     */
    variablesOf(file: string): Variables {
      const variables = new Map<string, string>();
      const above = reachableFiles([file], parents);
      const inAbove = new Set(above);
      const definedAbove = definitionsIn(above);
      const definedBelow = definitionsIn(
        reachableFiles(above, included).filter((path) => !inAbove.has(path)),
      );
      for (const [name, definitions] of [...definedBelow, ...definedAbove]) {
        variables.delete(name);
        const isOverriding = ({ path, value }: Definition) =>
          definitions.every(
            (other) => other.value === value || (isAbove(path, other.path) && !isAbove(other.path, path)),
          );
        if (left <= 0) return new Map();
        const winner = definitions.find(isOverriding);
        if (winner) variables.set(name, winner.value);
      }
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

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
